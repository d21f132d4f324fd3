import { type Server, Socket } from "node:net";

/** Node's internal fields of a socket. Node has no public way to read an accepted connection into a given buffer. */
type SocketInternals = { _handle: object | null; _server: Server | null; server: Server | undefined };

export type SharedBufferReader = {
  /** The connection. The original socket must not be used any more. */
  readonly socket: Socket;
  /** From now on the socket is an ordinary stream that emits copies of the received bytes. */
  readonly release: () => void;
};

// Large enough for one read.
const BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Reads a connection into one buffer that all connections share, because a buffer per read takes ten per cent of an
 * ordinary request's cost. `onChunk` may use the bytes until it returns and must copy what it keeps.
 */
export function readIntoSharedBuffer(accepted: Socket, onChunk: (chunk: Buffer) => void): SharedBufferReader {
  const internals = accepted as unknown as SocketInternals;
  const handle = internals._handle;
  if (handle === null) return readWithoutSharing(accepted, onChunk);
  let released = false;
  const callback = (size: number): boolean => {
    const chunk = BUFFER.subarray(0, size);
    if (released) return socket.push(Buffer.from(chunk));
    onChunk(chunk);
    return true;
  };
  const options = { handle, allowHalfOpen: accepted.allowHalfOpen, onread: { buffer: BUFFER, callback } };
  const socket = new Socket(options as ConstructorParameters<typeof Socket>[0]);
  // The server uses these fields to count its connections when they close.
  Object.assign(socket, { _server: internals._server, server: internals.server } satisfies Partial<SocketInternals>);
  internals._handle = null;
  return {
    socket: socket.resume(),
    release: () => {
      released = true;
    },
  };
}

// The socket is already closed, or this version of Node has no such field.
function readWithoutSharing(socket: Socket, onChunk: (chunk: Buffer) => void): SharedBufferReader {
  socket.on("data", onChunk);
  return { socket, release: () => void socket.off("data", onChunk) };
}
