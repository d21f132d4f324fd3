import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { corprail, temporaryFolder } from "../../testing/processes.ts";

test("a description that comes with Corprail is written to a file, which passes its own test", async () => {
  const file = join(temporaryFolder(), "plain.json");
  const written = await corprail(["provider", "init", "plain-json", file], {});
  expect(written).toMatchObject({ code: 0, stdout: `The description of plain-json is in ${file}.\n` });
  expect(written.stderr).toMatch(/^Next:\n {2}corprail provider test /);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ name: "plain-json", version: 2 });
  expect(await corprail(["provider", "test", file], {})).toMatchObject({ code: 0, stdout: expect.stringContaining("recharge.pay") });
  expect(await corprail(["provider", "init", "plain-json", file], {})).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("exists"),
  });
});

test("without a name the descriptions are listed; an unknown name is refused with the list", async () => {
  const listed = await corprail(["provider", "init", "--json"], {});
  expect(JSON.parse(listed.stdout)).toMatchObject({
    providers: expect.arrayContaining([{ provider: "plain-json", services: ["recharge"] }]),
  });
  const table = await corprail(["provider", "init"], {});
  expect(table.stdout).toMatch(/^cashfree +to be completed +docs\/providers\/cashfree\.md$/m);
  expect(await corprail(["provider", "init", "nobody"], {})).toMatchObject({ code: 1, stderr: expect.stringContaining("plain-json") });
});
