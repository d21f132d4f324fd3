// The receivers of callbacks, a port each, in a process of their own. They read of a request only what they must: what
// they cost is taken from the contestant on a machine that they share.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { serveTasks } from "../serve-tasks.mjs";
import { createWindow } from "../window.mjs";

const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = /\r\ncontent-length: ([0-9]+)/i;
const SIGNATURE = /\r\nx-callback-signature: ([0-9a-f]{64})\r\n/i;
const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const CHECKED_OF = 64;
const DRY_MILLISECONDS = 3_000;

/** Takes a whole request to a receiver, by its place; false leaves it without an answer. */
let take = () => true;
let round = null;
let arrivals = null;

function serve(place) {
  return (socket) => {
    let held = null;
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const bytes = held === null ? chunk : Buffer.concat([held, chunk]);
      const headEnd = bytes.indexOf(HEAD_END);
      const length = headEnd < 0 ? null : LENGTH.exec(bytes.latin1Slice(0, headEnd));
      const whole = length !== null && bytes.length >= headEnd + HEAD_END.length + Number(length[1]);
      held = whole ? null : bytes;
      if (whole && take(place, bytes, headEnd)) socket.write(ANSWER);
    });
  };
}

async function listen({ count }) {
  const servers = Array.from({ length: count }, (_, place) => createServer(serve(place)).listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  return servers.map((server) => server.address().port);
}

/** Counts what healthy receivers get, until the window is full or nothing comes any more. */
function begin({ window: options, hung, secrets }) {
  const state = { window: null, received: 0, unsigned: 0, at: performance.now(), end: null };
  state.ended = new Promise((resolve) => {
    state.end = resolve;
  });
  round = state;
  take = (place, bytes, headEnd) => {
    if (place === hung) return false;
    state.received++;
    state.at = performance.now();
    if (state.received % CHECKED_OF === 1 && !isSigned(bytes, headEnd, secrets[place])) state.unsigned++;
    state.window ??= createWindow(options);
    if (!state.window.note(true)) state.end();
    return true;
  };
}

async function ended() {
  const timer = setInterval(() => performance.now() - round.at > DRY_MILLISECONDS && round.end(), 100);
  await round.ended;
  clearInterval(timer);
  return { perSecond: round.window?.perSecond() ?? null, ratePerSecond: round.window?.ratePerSecond() ?? 0 };
}

function isSigned(bytes, headEnd, secret) {
  const signature = SIGNATURE.exec(bytes.latin1Slice(0, headEnd + 2))?.[1];
  const body = bytes.subarray(headEnd + HEAD_END.length);
  return signature === createHmac("sha256", secret).update(body).digest("hex");
}

/** From now on notes when each order's first attempt comes in. */
function watch() {
  arrivals = new Map();
  take = (_place, bytes, headEnd) => {
    const { orderid } = JSON.parse(bytes.toString("utf8", headEnd + HEAD_END.length));
    if (!arrivals.has(orderid)) arrivals.set(orderid, performance.timeOrigin + performance.now());
    return true;
  };
}

async function arrived({ count, milliseconds }) {
  const until = performance.now() + milliseconds;
  while (arrivals.size < count && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  return [...arrivals];
}

serveTasks({ listen, begin, ended, counts: () => ({ received: round.received, unsigned: round.unsigned }), watch, arrived });
