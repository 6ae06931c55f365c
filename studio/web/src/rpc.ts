// One socket to the local server, spoken to in JSON-RPC 2.0.

export class RefusedError extends Error {
  constructor(
    message: string,
    readonly data: { text?: string | null } | null,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

type Listener = (params: never) => void;

export class Rpc {
  private socket: WebSocket;
  private number = 0;
  private waiting = new Map<number, Waiting>();
  private listeners = new Map<string, Listener>();
  readonly ready: Promise<void>;

  constructor(token: string, onClose: () => void) {
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.ready = new Promise((resolve, reject) => {
      this.socket.onopen = () => {
        this.socket.send(JSON.stringify({ token }));
        resolve();
      };
      this.socket.onerror = () => reject(new Error("no connection"));
    });
    this.socket.onmessage = (event) => this.heard(JSON.parse(String(event.data)));
    this.socket.onclose = () => {
      for (const one of this.waiting.values()) one.reject(new Error("closed"));
      this.waiting.clear();
      onClose();
    };
  }

  on<T>(event: string, listener: (params: T) => void): void {
    this.listeners.set(event, listener as Listener);
  }

  ask<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.number;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  private heard(message: {
    id?: number;
    method?: string;
    params?: unknown;
    result?: unknown;
    error?: { message: string; data?: { text?: string | null } | null };
  }): void {
    if (message.method !== undefined) {
      this.listeners.get(message.method)?.(message.params as never);
      return;
    }
    const waiting = this.waiting.get(message.id ?? -1);
    if (!waiting) return;
    this.waiting.delete(message.id ?? -1);
    if (message.error) waiting.reject(new RefusedError(message.error.message, message.error.data ?? null));
    else waiting.resolve(message.result);
  }
}
