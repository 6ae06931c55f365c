// Who sits where, the way through the game, a new one, and what can be kept of it.

import type { Shown } from "./types";
import type { Say } from "./words";

export const FOLLOW = -2; // through the eyes of whoever is asked

export interface ControlProps {
  shown: Shown | null;
  say: Say;
  running: boolean;
  table(method: string, params?: object): Promise<Shown | null>;
  bots(params?: object): Promise<void>;
  stop(): void;
  keep(): Promise<void>;
  download(): Promise<void>;
  upload(file: File | undefined): Promise<void>;
  share(): Promise<void>;
}

export function Controls({ shown, say, running, table, bots, stop, keep, download, upload, share }: ControlProps) {
  if (!shown) return null;
  const go = (at: number) => void table("table/go", { at });
  const kindName = (kind: string) => (kind === "person" ? say("person") : kind);
  return (
    <div class="controls">
      <div class="seats">
        {shown.names.map((name, seat) => (
          <label key={seat}>
            {name}{" "}
            <select
              value={shown.seats[seat]}
              onChange={(event) => {
                const seats = [...shown.seats];
                seats[seat] = event.currentTarget.value;
                void bots({ seats });
              }}
            >
              {shown.kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {kindName(kind)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <label>
          {say("view")}{" "}
          <select value={shown.viewer} onChange={(event) => void table("table/show", { viewer: Number(event.currentTarget.value) })}>
            <option value={FOLLOW}>{say("follow")}</option>
            {shown.names.map((name, seat) => (
              <option key={seat} value={seat}>
                {name}
              </option>
            ))}
            <option value={shown.players}>{say("bystander")}</option>
            <option value={-1}>{say("everybody")}</option>
          </select>
        </label>
      </div>
      <div class="timeline">
        <button onClick={() => go(0)} disabled={shown.at === 0} aria-label={say("first")}>
          «
        </button>
        <button onClick={() => go(shown.at - 1)} disabled={shown.at === 0} aria-label={say("previous")}>
          ‹
        </button>
        <input type="range" min={0} max={shown.length} value={shown.at} aria-label={say("move", { at: shown.at, length: shown.length })} onChange={(event) => go(Number(event.currentTarget.value))} />
        <button onClick={() => go(shown.at + 1)} disabled={shown.at === shown.length} aria-label={say("next")}>
          ›
        </button>
        <button onClick={() => go(shown.length)} disabled={shown.at === shown.length} aria-label={say("last")}>
          »
        </button>
        <span>{say("move", { at: shown.at, length: shown.length })}</span>
        {shown.branches.map((length, branch) => (
          <button key={branch} onClick={() => void table("table/branch", { branch })}>
            {say("branch", { length })}
          </button>
        ))}
      </div>
      <form
        class="new"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const seed = String(data.get("seed") ?? "");
          void table("table/new", { players: Number(data.get("players")), seed: /^\d{1,15}$/.test(seed) ? Number(seed) : null, seats: shown.seats });
        }}
      >
        <label>
          {say("players")} <input type="number" name="players" min={shown.range[0]} max={shown.range[1]} defaultValue={String(shown.players)} />
        </label>
        <label>
          {say("seed")} <input name="seed" defaultValue={shown.seed} size={10} key={shown.seed} />
        </label>
        <button>{say("newTable")}</button>
        <button type="button" onClick={() => void bots({ step: true, as: "greedy" })}>
          {say("botStep")}
        </button>
        {running ? (
          <button type="button" onClick={stop}>
            {say("stop")}
          </button>
        ) : (
          <button type="button" onClick={() => void bots({ as: "random" })}>
            {say("botRun")}
          </button>
        )}
        <button type="button" onClick={() => void keep()}>
          {say("keep")}
        </button>
        <button type="button" onClick={() => void download()} disabled={shown.placed}>
          {say("download")}
        </button>
        <button type="button" onClick={() => void share()}>
          {say("share")}
        </button>
        <label class="button">
          {say("upload")}{" "}
          <input
            type="file"
            accept=".json"
            onChange={(event) => {
              void upload(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
        </label>
      </form>
    </div>
  );
}
