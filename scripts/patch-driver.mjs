// Mends postgres.js 3.4.9 (porsager/postgres issues 1066, 1154, 1208): a connection that is lost while something is still
// to be written to it throws where nobody can catch it, which ends the process, or never writes again; and what was still
// waiting for an answer then takes those of whoever has the connection next. And of several connections none is sent a
// statement while it has one: a short one waited for a long one there, or for whatever that waited for, while others were free.
// COPY streams (issues 499 and 917, pull request 1016): a socket that was paused for a slow reader is resumed when the COPY
// ends or its reader gives up; a stream ends with its connection, and learns when the database refuses its last rows.
// A lost connection's error and half-read rows no longer reach the first statement of the connection that follows it.
// And it shows its connections to the `watch` option, so that platform/db/watch.ts can cut those whose server no longer answers, and
// reject statements that wait for a free connection for too long. Without that option nothing is different.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const FIXED_IN = "3.4.9";

const CONNECTION = [
  {
    was: "  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)\n",
    is:
      "  function drop(err) {\n    query && queryError(query, err)\n    query = null\n    while (sent.length)\n" +
      "      queryError(sent.shift(), err)\n  }\n\n" +
      "  function nextWrite(fn) {\n    if (socket === null) {\n      chunk = nextWriteTimer = null\n" +
      "      drop(Errors.connection('CONNECTION_CLOSED', options))\n      return true\n    }\n    const x = socket.write(chunk, fn)\n",
  },
  {
    was: "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n",
    is:
      "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n" +
      "    drop(Errors.connection('CONNECTION_CLOSED', options, socket))\n    socket.removeListener('data', data)\n",
  },
  {
    was: "    count: 0,\n    id\n  }\n",
    is:
      "    count: 0,\n    id,\n" +
      "    watched: () => socket === null || backend.pid === null ? null : { pid: backend.pid, openedAt, silentSince: (query || sent.length) && !socket.isPaused() ? heardAt : null },\n" +
      "    cut: err => socket && socket.destroy(err)\n  }\n",
  },
  {
    was: "    , final = null\n\n  const connection = {\n",
    is: "    , final = null\n    , openedAt = 0\n    , heardAt = 0\n\n  const connection = {\n",
  },
  {
    was: "        : (query = q, query.active = true)\n",
    is: "        : (query = q, query.active = true, heardAt = performance.now())\n",
  },
  {
    was: "  function data(x) {\n    if (incomings) {\n",
    is: "  function data(x) {\n    heardAt = performance.now()\n    if (incomings) {\n",
  },
  {
    was: "      lifeTimer.start()\n      socket.on('data', data)\n",
    is: "      lifeTimer.start()\n      openedAt = performance.now()\n      backend.pid = null\n      socket.on('data', data)\n",
  },
  {
    // A connection that was opened to be reserved was never handed over where the driver does not ask for types first.
    was: "      initial && !initial.reserve && execute(initial)\n",
    is: "      initial && (initial.reserve ? initial.reserve(connection) : execute(initial))\n",
  },
  {
    was: "  function ErrorResponse(x) {\n    if (query) {\n",
    is:
      "  function ErrorResponse(x) {\n    options.watch && options.watch.refused(parseError(x).code, connection)\n" + "    if (query) {\n",
  },
];
const COPY = [
  {
    was: "    stream = new Stream.Readable({\n      read() { socket.resume() }\n    })\n",
    is:
      "    stream = new Stream.Readable({\n      read() { socket && socket.resume() },\n" +
      "      destroy(error, callback) {\n        stream === this && (stream = null)\n" +
      "        socket && socket.resume()\n        callback(error)\n      }\n    })\n",
  },
  {
    was: "  function CopyDone() {\n    stream && stream.push(null)\n    stream = null\n  }\n",
    is: "  function CopyDone() {\n    stream && stream.push(null)\n    stream = null\n    socket.resume()\n  }\n",
  },
  {
    was:
      "        callback(error)\n        socket.write(b().f().str(error + b.N).end())\n        stream = null\n      },\n" +
      "      final(callback) {\n        socket.write(b().c().end())\n        final = callback\n        stream = null\n",
    is:
      "        callback(error)\n        if (stream !== this) return\n        stream = null\n" +
      "        socket && socket.writable && socket.write(b().f().str(error + b.N).end())\n      },\n" +
      "      final(callback) {\n        socket.write(b().c().end())\n        final = callback\n        stream = null\n",
  },
  {
    was: "    stream && (stream.destroy(err), stream = null)\n    query && queryError(query, err)\n    initial &&",
    is:
      "    stream && (stream.destroy(err), stream = null)\n    final && (final(err), final = null)\n" +
      "    query && queryError(query, err)\n    initial &&",
  },
  {
    was: "    socket.removeListener('connect', connected)\n    idleTimer.cancel()\n",
    is:
      "    socket.removeListener('connect', connected)\n    const lost = Errors.connection('CONNECTION_CLOSED', options, socket)\n" +
      "    stream && (stream.destroy(lost), stream = null)\n    final && (final(lost), final = null)\n" +
      "    errorResponse = results = null\n    result = new Result()\n    rows = 0\n    idleTimer.cancel()\n",
  },
];
const POOL = [
  {
    was: "    busy.length\n      ? go(busy.shift(), query)\n",
    is: "    busy.length && options.max === 1\n      ? go(busy.shift(), query)\n",
  },
  {
    was: "      : queries.push(query)\n  }\n",
    is: "      : (query.queuedAt = performance.now(), queries.push(query))\n  }\n",
  },
  {
    was: "        const query = { reserve: resolve, reject }\n",
    is: "        const query = { reserve: resolve, reject, queuedAt: performance.now() }\n",
  },
  {
    was: "  const sql = Sql(handler)\n\n  Object.assign(sql, {\n    get parameters()",
    is:
      "  options.watch && options.watch.pool({ connections, expire })\n\n  function expire(before, err) {\n" +
      "    for (let left = queries.length; left > 0; left--) {\n      const query = queries.shift()\n" +
      "      query.queuedAt < before ? query.reject(err) : queries.push(query)\n    }\n  }\n\n" +
      "  const sql = Sql(handler)\n\n  Object.assign(sql, {\n    get parameters()",
  },
  {
    was: "    socket          : o.socket,\n",
    is: "    socket          : o.socket,\n    watch           : o.watch,\n",
  },
  {
    was: "    let max = Math.ceil(queries.length / (connecting.length + 1))\n",
    is: "    let max = options.max > 1 ? 1 : Math.ceil(queries.length / (connecting.length + 1))\n",
  },
];

const require = createRequire(import.meta.url);
const folder = dirname(dirname(dirname(require.resolve("postgres"))));
const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
if (version !== FIXED_IN) throw new Error(`postgres is ${version}: see whether it still needs scripts/patch-driver.mjs.`);
for (const sources of ["src", "cjs/src"]) {
  await mend(join(folder, sources, "connection.js"), [...CONNECTION, ...COPY]);
  await mend(join(folder, sources, "index.js"), POOL);
}

async function mend(path, mends) {
  const before = await readFile(path, "utf8");
  let after = before;
  for (const { was, is } of mends) {
    if (after.includes(is)) continue;
    if (after.split(was).length !== 2) throw new Error(`${path} is not what scripts/patch-driver.mjs expects.`);
    after = after.replace(was, () => is);
  }
  if (after !== before) await writeFile(path, after);
}
