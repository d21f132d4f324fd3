import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createMailer } from "./mailer.ts";

const LINK = "https://pay.example/portal/invitation#inv_0123456789";
const MAIL = { to: "asha@shop.example", subject: "You are invited", text: `Open ${LINK} within 7 days.` };

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

type Line = { readonly details: object; readonly message: string };

function recorder() {
  const lines: Line[] = [];
  const write = (details: object, message: string) => lines.push({ details, message });
  return { lines, log: { info: write, warn: write } };
}

/** A minimal mail server that accepts all recipients except the refused one. */
async function mailServer(refuses?: string): Promise<{ readonly url: string; readonly received: string[] }> {
  const received: string[] = [];
  const server = createServer((socket) => serve(socket, received, refuses));
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function serve(socket: Socket, received: string[], refuses: string | undefined): void {
  let body: string[] | null = null;
  socket.write("220 mail.example ESMTP\r\n");
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    for (const line of bytes.toString().split("\r\n").slice(0, -1)) {
      if (body !== null) {
        if (line !== ".") body.push(line);
        else {
          received.push(body.join("\n"));
          body = null;
          socket.write("250 taken\r\n");
        }
      } else if (line === "DATA") {
        body = [];
        socket.write("354 go on\r\n");
      } else if (refuses !== undefined && line.includes(refuses)) socket.write(`550 nobody here is called ${refuses}\r\n`);
      else if (line === "QUIT") socket.end("221 bye\r\n");
      else socket.write("250 mail.example\r\n");
    }
  });
}

test("a mail is sent through the configured server from the configured sender", async () => {
  const { url, received } = await mailServer();
  const { lines, log } = recorder();
  const mailer = createMailer({ smtpUrl: url, from: "Corprail <no-reply@pay.example>", log });
  expect(await mailer.send(MAIL)).toBe(true);
  mailer.close();
  expect(received[0]).toContain("From: Corprail <no-reply@pay.example>");
  expect(received[0]).toContain("To: asha@shop.example");
  expect(received[0]).toContain("You are invited");
  expect(lines).toEqual([{ details: { to: "a***@shop.example", subject: "You are invited" }, message: "mail sent" }]);
});

test("without a mail server nothing is sent, and the log says so without the recipient's name or the link", async () => {
  const { lines, log } = recorder();
  expect(await createMailer({ smtpUrl: null, from: "no-reply@pay.example", log }).send(MAIL)).toBe(false);
  expect(lines).toEqual([
    { details: { to: "a***@shop.example", subject: "You are invited" }, message: "mail not sent: no SMTP is configured" },
  ]);
});

test("a refusal by the server returns false, and neither recipient nor link reaches the log", async () => {
  const { url } = await mailServer("asha@shop.example");
  const { lines, log } = recorder();
  const mailer = createMailer({ smtpUrl: url, from: "no-reply@pay.example", log });
  expect(await mailer.send(MAIL)).toBe(false);
  mailer.close();
  expect(lines[0]?.details).toMatchObject({ code: "EENVELOPE 550" });
  expect(JSON.stringify(lines)).not.toMatch(/asha@|inv_/);
});

test("an unreachable server returns false", async () => {
  const { log } = recorder();
  const mailer = createMailer({ smtpUrl: "smtp://127.0.0.1:1", from: "no-reply@pay.example", log });
  expect(await mailer.send(MAIL)).toBe(false);
  mailer.close();
});
