import { connect } from "@corprail/server/platform/db/connection";
import { counted } from "../shared/counted.ts";
import { withDatabase } from "../shared/find-database.ts";
import { done, errorText, failed, type Outcome } from "../shared/outcome.ts";
import { type CommandContext, coloured } from "../shared/run-command.ts";
import { checkBusiness } from "./check-business.ts";
import { checkCells } from "./check-cells.ts";
import { checkDatabase, checkSpace } from "./check-database.ts";
import { checkKey } from "./check-key.ts";
import { checkMachine } from "./check-machine.ts";
import { checkPorts } from "./check-ports.ts";
import { checkProviders } from "./check-providers.ts";
import { type Finding, fail } from "./finding.ts";

const COLOURS = { ok: "green", warn: "yellow", fail: "red" } as const;

/** Checks an installation without changing it. The exit code is 1 if a check fails and 0 if there are only warnings. */
export async function examine(ctx: CommandContext): Promise<Outcome> {
  // Ports first, because a database started for the other checks holds the data folder like a service.
  const findings = [...checkMachine(ctx), ...(await checkPorts(ctx)), ...(await examineDatabase(ctx))];
  const count = (level: Finding["level"]) => findings.filter((finding) => finding.level === level).length;
  const fields = { failures: count("fail"), warnings: count("warn"), findings };
  const words = `${count("ok")} ok, ${counted(count("warn"), "warning")}, ${counted(count("fail"), "failure")}.`;
  const report = findings.map(findingText).join("\n");
  return count("fail") === 0 ? done(words, fields, report) : failed(words, fields, report);
}

async function examineDatabase(ctx: CommandContext): Promise<readonly Finding[]> {
  try {
    return await withDatabase(ctx, "existing", async (url) => {
      const { sql, close } = connect({ url, connections: 1, role: null });
      try {
        const schema = [...(await checkDatabase(sql)), ...(await checkSpace(sql))];
        // The remaining checks read tables of this version.
        if (schema.some((finding) => finding.level === "fail" && finding.about === "migrations")) return schema;
        const { opens, findings } = await checkKey(ctx, sql);
        const cells = await checkCells(ctx, sql);
        return [...schema, ...cells, ...findings, ...(await checkBusiness(ctx, sql)), ...(opens ? await checkProviders(ctx, sql) : [])];
      } finally {
        await close();
      }
    });
  } catch (error) {
    return [fail("database", errorText(error), "Nothing further can be checked without it.")];
  }
}

function findingText({ level, about, found, advice }: Finding): string {
  const mark = coloured(COLOURS[level], level.padEnd(4), process.stdout);
  return `${mark}  ${about.padEnd(16)}  ${found}${advice === undefined ? "" : `\n${" ".repeat(24)}${advice}`}`;
}
