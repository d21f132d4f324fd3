import { spawn } from "node:child_process";
import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atEnd, endChild, temporaryFolder } from "../closing.mjs";

/**
 * HAProxy as docs/scaling.md describes it: one address that leads to the database's leader, one that leads to any ready process.
 *
 * @param {{ haproxy: string, ports: { database: number, api: number }, nodes: readonly object[], processes: readonly number[] }} options
 */
export function startBalancer({ haproxy, ports, nodes, processes }) {
  const folder = temporaryFolder("corprail-ha-balancer-");
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configOf(ports, nodes, processes));
  const log = openSync(join(folder, "haproxy.log"), "a");
  const child = spawn(haproxy, ["-db", "-f", file], { stdio: ["ignore", log, log] });
  atEnd("processes", () => endChild(child));
}

function configOf(ports, nodes, processes) {
  return `
defaults
  timeout connect 1s
  timeout check 1s

listen database
  mode tcp
  bind 127.0.0.1:${ports.database}
  timeout client 1h
  timeout server 1h
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`).join("\n")}

listen api
  mode http
  bind 127.0.0.1:${ports.api}
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 10s
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 500ms fall 1 rise 1
${processes.map((port, index) => `  server process${index + 1} 127.0.0.1:${port} check`).join("\n")}
`;
}
