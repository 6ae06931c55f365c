// Takes the key from the address, where nobody else sees it, and starts the page.

import { render } from "preact";
import { App } from "./app";
import "./main.css";
import { Rpc } from "./rpc";
import { speaker } from "./words";

const root = document.getElementById("studio");
const token = location.hash.slice(1) || sessionStorage.getItem("token") || "";
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
const say = speaker("en");

function stop(text: string): void {
  if (!root) return;
  render(null, root);
  root.textContent = text;
  root.setAttribute("role", "alert");
}

if (root && token) {
  sessionStorage.setItem("token", token);
  history.replaceState(null, "", location.pathname);
  const rpc = new Rpc(token, () => stop(say("closed")));
  render(<App rpc={rpc} nonce={nonce} onError={stop} />, root);
} else stop(say("noToken"));
