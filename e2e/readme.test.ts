import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { change, newClient } from "./harness/operator.ts";
import { type CheckingProxy, startCheckingProxy } from "./harness/servers/checking-proxy.ts";
import { type Installation, ROOT, startInstallation } from "./harness/service.ts";

let installation: Installation;
let proxy: CheckingProxy;
beforeAll(async () => {
  installation = await startInstallation();
  proxy = await startCheckingProxy(installation.service.port);
});
afterAll(async () => {
  await proxy?.close();
  await installation?.close();
});

test("the README's first signed call works as it is printed, with curl and openssl alone", async () => {
  const { service } = installation;
  const client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "50.00", reference: "readme", note: "readme" });
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const block = /```bash\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const script = block
    .replace("tok_live_...", client.token)
    .replace("sig_...", client.secret)
    .replaceAll("http://127.0.0.1:8080", proxy.url);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "SUCCESS", code: 0, urid: "first-1", balance: "40.0000" });
  // A signature that is looked at: the same block with another secret is refused.
  const wrong = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script.replace(client.secret, "sig_wrong")]);
  expect(JSON.parse(wrong.stdout)).toMatchObject({ status: "rejected", error: "invalid_signature" });
});
