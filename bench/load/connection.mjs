import { connect } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = /\r\ncontent-length: ([0-9]+)/i;
// Both the service and the bare route answer an order with its status first.
const SUCCESS = '{"status":"SUCCESS"';
// A 503 that does not say this leaves open whether there is an order.
const NOTHING_CREATED = "Nothing was created";
// Every connection reads into the same memory: a reply is looked at before anything else is read.
const READ_INTO = Buffer.allocUnsafe(64 * 1024);

/**
 * One keep-alive connection with one request on it at a time. It reads no more of a reply than where it ends and
 * whether it is a success, and without a stream: what the client costs is taken from the service on a machine that
 * they share.
 *
 * @param {number} port
 * @param {(outcome: { status: number, success: boolean, isOpen: boolean }) => void} onReply
 * @param {(error: Error) => void} onError
 */
export function connectClient(port, onReply, onError) {
  let held = null;
  const read = (size, memory) => {
    const chunk = memory.subarray(0, size);
    const reply = held === null ? chunk : Buffer.concat([held, chunk]);
    const outcome = readReply(reply);
    held = outcome === null ? Buffer.from(reply) : null;
    if (outcome !== null) onReply(outcome);
    return true;
  };
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer: READ_INTO, callback: read } });
  socket.on("error", onError);
  return {
    opened: new Promise((resolve) => socket.once("connect", resolve)),
    send: (bytes) => socket.write(bytes),
    close: () => socket.destroy(),
  };
}

/** Null while the reply is not whole. */
function readReply(bytes) {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const length = LENGTH.exec(bytes.latin1Slice(0, headEnd));
  const bodyAt = headEnd + HEAD_END.length;
  if (length === null) throw new Error("A reply came without a Content-Length.");
  if (bytes.length < bodyAt + Number(length[1])) return null;
  const status = Number(bytes.latin1Slice(9, 12));
  return {
    status,
    isOpen: status >= 500 && bytes.indexOf(NOTHING_CREATED, bodyAt, "latin1") < 0,
    success: bytes.latin1Slice(bodyAt, bodyAt + SUCCESS.length) === SUCCESS,
  };
}
