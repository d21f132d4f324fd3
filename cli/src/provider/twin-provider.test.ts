import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../../server/src/testing/deadline.ts";
import { corprail, running, temporaryFolder } from "../../testing/processes.ts";
import { description, providerFiles } from "../../testing/provider-files.ts";

const QUICKPAY = fileURLToPath(new URL("../../../docs/examples/providers/quickpay.json", import.meta.url));
const NO_DATABASE = { CORPRAIL_DATA_DIR: "/nowhere/at/all" };

test("a twin serves the provider's API until it is stopped, and writes a description that leads to it", async () => {
  const local = join(temporaryFolder(), "local.json");
  const twin = running(["provider", "twin", QUICKPAY, "--port", "0", "--answer", "pending", "--write", local], NO_DATABASE);
  const origin = await vi.waitFor(
    () => /listens on (http:\S+)\. /.exec(twin.said())?.[1] ?? Promise.reject(new Error(twin.said())),
    WAIT_MILLISECONDS,
  );
  const reply = await fetch(`${origin}/recharge?token=t&pin=p&opcode=1&number=9876543000&amount=199&ref=R7`);
  expect(await reply.text()).toBe("PENDING,R7,,in process");
  expect((await twin.lines.next()).value).toBe("recharge.pay R7 -> 200");
  expect(JSON.parse(readFileSync(local, "utf8"))).toMatchObject({ base_url: origin, plain_http: true });
  expect(await twin.interrupt()).toMatchObject({ code: 0, stdout: expect.stringContaining("1 request, 0 callbacks.") });
});

test("a description without samples is refused with what to do", async () => {
  const { file } = providerFiles(description("acme"));
  const { code, stderr } = await corprail(["provider", "twin", file, "--port", "0"], NO_DATABASE);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("has no samples") });
});
