import type { ServerResponse } from "node:http";
import type { RenderedSample } from "../description/samples/render-sample.ts";
import type { Behaviour } from "./behaviour.ts";

/** Writes an answer, or what is left of it when something goes wrong on the wire. */
export async function writeAnswer(
  response: ServerResponse,
  answer: RenderedSample,
  wire: Behaviour["wire"],
  slowMilliseconds: number,
): Promise<void> {
  switch (wire) {
    case "refused":
      response.destroy();
      return;
    case "silent":
      // The connection stays open without an answer until the caller gives up.
      return;
    case "cut":
      cutOff(response, answer);
      return;
    case "500":
      end(response, { status: 500, headers: { "content-type": "text/html" }, body: Buffer.from("<h1>Internal Server Error</h1>") });
      return;
    case "garbage":
      end(response, { status: 502, headers: { "content-type": "text/html" }, body: Buffer.from("<html>Bad gateway") });
      return;
    case "double-answer":
      twice(response, answer);
      return;
    case "slow":
      if (await waited(response, slowMilliseconds)) end(response, answer);
      return;
    default:
      end(response, answer);
  }
}

function end(response: ServerResponse, { status, headers, body }: RenderedSample): void {
  response.writeHead(status, { ...headers, "content-length": body.length });
  response.end(body);
}

function cutOff(response: ServerResponse, { status, headers, body }: RenderedSample): void {
  response.writeHead(status, { ...headers, "content-length": body.length + 1 });
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy());
}

/** The same answer twice on one connection, as a confused proxy sends it. */
function twice(response: ServerResponse, { status, headers, body }: RenderedSample): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`HTTP/1.1 ${status} Answer\r\n${lines.join("")}content-length: ${body.length}\r\n\r\n`);
  response.socket?.write(Buffer.concat([head, body, head, body]), () => response.destroy());
}

/** False when the caller has given up. */
function waited(response: ServerResponse, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), milliseconds);
    response.once("close", () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
