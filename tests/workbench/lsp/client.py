"""A small client of the language server: JSON-RPC over the streams of a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue
from typing import Any

ROOT = Path(__file__).parents[3]
WAIT = 60  # seconds until a server that says nothing is taken for stuck


class Client:
    """A running server, what it published of each file, and what it answered."""

    def __init__(self, encodings: list[str] | None = None) -> None:
        command = [sys.executable, "-m", "workbench.cli", "lsp"]
        pipe = subprocess.PIPE
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT, env=environment)
        self.heard: Queue[dict[str, Any]] = Queue()
        self.published: dict[str, list[dict[str, Any]]] = {}
        self.messages: list[str] = []
        self.last = 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        general = {"positionEncodings": encodings} if encodings else {}
        found = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {"general": general}})
        self.abilities = found["capabilities"]
        self.tell("initialized", {})

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self.heard.put(json.loads(stream.read(length)))

    def send_raw(self, content: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def send(self, message: object) -> None:
        content = json.dumps(message).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(content) + content)

    def tell(self, method: str, params: object) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object) -> Any:
        """The result of a request; of one that fails its error."""
        self.last += 1
        number = self.last
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            heard = self.next()
            if heard.get("id") == number and "method" not in heard:
                return heard["result"] if "result" in heard else heard["error"]

    def next(self) -> dict[str, Any]:
        heard = self.heard.get(timeout=WAIT)
        if heard.get("method") == "textDocument/publishDiagnostics":
            self.published[heard["params"]["uri"]] = heard["params"]["diagnostics"]
        elif heard.get("method") == "window/showMessage":
            self.messages.append(heard["params"]["message"])
        return heard

    # ------------------------------------------------------------ documents

    def open(self, path: Path, text: str | None = None) -> str:
        uri = path.as_uri()
        content = path.read_text(encoding="utf-8") if text is None else text
        document = {"uri": uri, "languageId": "warlock", "version": 1, "text": content}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, text: str, version: int = 2) -> None:
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def about(self, method: str, uri: str, line: int = 0, character: int = 0, **more: object) -> Any:
        position = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position, **more})

    def diagnostics(self, uri: str, code: str) -> list[dict[str, Any]]:
        """What is published of a file, as soon as a code is among it."""
        while not any(one["code"] == code for one in self.published.get(uri, ())):
            self.next()
        return self.published[uri]

    def quiet(self, uri: str, seconds: float = 2) -> list[dict[str, Any]]:
        """What is published of a file when nothing more comes."""
        try:
            while True:
                heard = self.heard.get(timeout=seconds)
                if heard.get("method") == "textDocument/publishDiagnostics":
                    self.published[heard["params"]["uri"]] = heard["params"]["diagnostics"]
        except Empty:
            return self.published.get(uri, [])

    def stop(self) -> str:
        """End the server in the proper way; what it said of errors."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        told = self.left()
        assert self.process.returncode == 0
        return told

    def left(self) -> str:
        """The editor is gone: what the server, which ends, said of errors."""
        stdin, stdout, stderr = self.process.stdin, self.process.stdout, self.process.stderr
        assert stdin is not None and stdout is not None and stderr is not None
        stdin.close()
        self.process.wait(WAIT)
        self.reader.join(WAIT)
        told = stderr.read().decode()
        stdout.close()
        stderr.close()
        return told
