import type { Socket } from "node:net";
import { Duplex } from "node:stream";

const HEAD_END = "\r\n\r\n";
// A chunk ends with the first request head after this many bytes, so that the parser gets only a few requests at a time.
const PIECE_BYTES = 1024;

/**
 * A connection as node:http sees it. node:http starts every request that it can read, so this passes the bytes in small
 * chunks, and none while a complete request is unanswered. The rest waits here, and the socket is not read meanwhile.
 */
export class PacedConnection extends Duplex {
  readonly #socket: Socket;
  readonly #isBusy: (connection: PacedConnection) => boolean;
  readonly #isAwaited: (connection: PacedConnection) => boolean;
  #held: Buffer | null;
  #wanted = false;
  #ended = false;

  /**
   * `first` was already read from the socket. `isBusy` says whether a complete request is unanswered, and `isAwaited` whether its
   * reply is sent also to a client that has closed its half of the connection.
   */
  constructor(socket: Socket, first: Buffer, isBusy: (connection: PacedConnection) => boolean, isAwaited = isBusy) {
    // With a high-water mark of one byte the stream asks for the next chunk only after the last one was parsed.
    super({ readableHighWaterMark: 1, writableHighWaterMark: socket.writableHighWaterMark, decodeStrings: false });
    this.#socket = socket;
    this.#isBusy = isBusy;
    this.#isAwaited = isAwaited;
    this.#held = first.length > 0 ? first : null;
    socket.on("data", (chunk: Buffer) => this.#hold(chunk));
    socket.on("end", () => {
      this.#ended = true;
      this.#pass();
    });
    socket.on("timeout", () => this.emit("timeout"));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /** Whether bytes have arrived that node:http has not received yet. */
  get hasMore(): boolean {
    return this.#held !== null;
  }

  /** The client sends nothing more. It may have closed the connection, or only its half of it. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  destroySoon(): void {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }

  /** Must be called when a request was answered, so that the next one can follow. */
  continueReading(): void {
    // At the end of this turn of the event loop, so that other connections get their turn.
    setImmediate(() => this.#pass());
  }

  override _read(): void {
    this.#wanted = true;
    this.#pass();
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, callback);
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    this.#socket.cork();
    chunks.forEach(({ chunk, encoding }, at) => {
      if (at === chunks.length - 1) this.#socket.write(chunk, encoding, callback);
      else this.#socket.write(chunk, encoding);
    });
    this.#socket.uncork();
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#held = null;
    this.#socket.destroy();
    callback(error);
  }

  #hold(chunk: Buffer): void {
    this.#held = this.#held === null ? chunk : Buffer.concat([this.#held, chunk]);
    this.#socket.pause();
    this.#pass();
  }

  #pass(): void {
    if (!this.#wanted || this.destroyed) return;
    if (this.#held === null) {
      if (!this.#ended) this.#socket.resume();
      // At the end of its input node:http drops the replies that are still to come.
      else if (!this.#isAwaited(this)) this.push(null);
      return;
    }
    if (this.#isBusy(this)) return;
    const piece = pieceOf(this.#held);
    this.#held = piece.length === this.#held.length ? null : this.#held.subarray(piece.length);
    this.#wanted = false;
    this.push(piece);
  }
}

function pieceOf(bytes: Buffer): Buffer {
  if (bytes.length <= PIECE_BYTES) return bytes;
  const end = bytes.indexOf(HEAD_END, PIECE_BYTES - HEAD_END.length, "latin1");
  return end < 0 ? bytes : bytes.subarray(0, end + HEAD_END.length);
}
