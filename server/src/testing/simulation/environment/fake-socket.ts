import { EventEmitter } from "node:events";
import type { Socket } from "node:net";

/** The client's end of a simulated connection: the part of node:net's Socket that the database driver uses. */
export class FakeSocket extends EventEmitter {
  readyState: "open" | "closed" = "open";
  readonly host = "simulated";
  readonly port = 5432;
  readonly #send: (bytes: Buffer) => void;
  readonly #hangUp: () => void;
  readonly #later: (run: () => void) => void;

  constructor(send: (bytes: Buffer) => void, hangUp: () => void, later: (run: () => void) => void) {
    super();
    this.#send = send;
    this.#hangUp = hangUp;
    this.#later = later;
  }

  write(bytes: Buffer, written?: () => void): boolean {
    if (this.readyState === "open") this.#send(Buffer.from(bytes));
    if (typeof written === "function") this.#later(written);
    return true;
  }

  end(bytes?: Buffer): this {
    if (bytes) this.write(bytes);
    return this.destroy();
  }

  destroy(error?: Error): this {
    if (this.readyState === "open") {
      this.#hangUp();
      this.#later(() => this.closed(error));
      this.readyState = "closed";
    }
    return this;
  }

  /** The connection is over; an error says that it was lost. */
  closed(error?: Error): void {
    this.readyState = "closed";
    if (error) this.emit("error", error);
    this.emit("close", error !== undefined);
  }

  isPaused = (): boolean => false;
  pause = (): this => this;
  resume = (): this => this;
  setKeepAlive = (): this => this;
  get writable(): boolean {
    return this.readyState === "open";
  }

  /** The driver knows sockets by node's type only. */
  asSocket(): Socket {
    return this as unknown as Socket;
  }
}
