import { type Server, Socket } from "node:net";

/** What Node's own modules know of a socket; nothing else offers to read an accepted connection into memory of ours. */
type Inside = { _handle: object | null; _server: Server | null; server: Server | undefined };

export type SharedReader = {
  /** The same connection; the one it was made from is not to be used any more. */
  readonly socket: Socket;
  /** From now on it is an ordinary stream, with copies of what comes. */
  readonly release: () => void;
};

// Large enough for what one read brings.
const MEMORY = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Reads a connection into the one piece of memory that all of them use, because a buffer for each read is a tenth of what
 * an ordinary request costs. `take` may look at what it is given until it returns, and has to copy what it keeps.
 */
export function readShared(accepted: Socket, take: (chunk: Buffer) => void): SharedReader {
  const inside = accepted as unknown as Inside;
  const handle = inside._handle;
  if (handle === null) return readOrdinarily(accepted, take);
  let released = false;
  const callback = (size: number): boolean => {
    const chunk = MEMORY.subarray(0, size);
    if (released) return socket.push(Buffer.from(chunk));
    take(chunk);
    return true;
  };
  const options = { handle, allowHalfOpen: accepted.allowHalfOpen, onread: { buffer: MEMORY, callback } };
  const socket = new Socket(options as ConstructorParameters<typeof Socket>[0]);
  // The server counts its connections by this when they close.
  Object.assign(socket, { _server: inside._server, server: inside.server } satisfies Partial<Inside>);
  inside._handle = null;
  return {
    socket: socket.resume(),
    release: () => {
      released = true;
    },
  };
}

// Already closed, or of a Node that keeps its handles elsewhere.
function readOrdinarily(socket: Socket, take: (chunk: Buffer) => void): SharedReader {
  socket.on("data", take);
  return { socket, release: () => void socket.off("data", take) };
}
