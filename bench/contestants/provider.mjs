// A provider on this machine that answers every recharge with success at once. It parses as little HTTP as possible,
// so that it takes little CPU from what is measured.
import { createServer } from "node:net";
import { serveTasks } from "../serve-tasks.mjs";

const HEAD_END = "\r\n\r\n";
const LENGTH = /content-length: ?([0-9]+)/i;
const REFERENCE = /"reference":"([^"]+)"/;
let served = 0;

const server = createServer({ noDelay: true }, (socket) => {
  let waiting = "";
  socket.setEncoding("latin1");
  socket.on("data", (text) => {
    waiting += text;
    for (let end = endOfFirst(waiting); end > 0; end = endOfFirst(waiting)) {
      socket.write(answer(REFERENCE.exec(waiting.slice(0, end))?.[1] ?? ""));
      waiting = waiting.slice(end);
    }
  });
  socket.on("error", () => socket.destroy());
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

/** Where the first request ends; 0 while it is not complete. */
function endOfFirst(text) {
  const head = text.indexOf(HEAD_END);
  if (head < 0) return 0;
  const end = head + HEAD_END.length + Number(LENGTH.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length < end ? 0 : end;
}

function answer(reference) {
  served++;
  const body = `{"reference":"${reference}","status":"SUCCESS","txn_id":"T${served}","operator_ref":"OP${served}"}`;
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

serveTasks({ port: () => server.address().port });
