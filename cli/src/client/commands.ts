import { COMPLAINT_REASONS } from "@corprail/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";
import { done, type Outcome } from "../shared/outcome.ts";
import { reportingClient } from "../shared/reporting.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { getComplaint, listComplaints, raiseComplaint } from "./complaints.ts";
import { createClient, type ProfileOption } from "./credentials.ts";
import { createRecharge, getRecharge, waitRecharge } from "./recharge.ts";
import { sendRequest } from "./send-request.ts";
import { signRequestLines } from "./sign-request.ts";
import { wireNames } from "./wire-names.ts";

export function balanceCommand(program: Command): void {
  reportingClient(withProfile(program.command("balance")), showBalance, "corprail balance").description("Show what the account can spend");
}

async function showBalance(ctx: ClientContext, options: ProfileOption): Promise<Outcome> {
  const found = await (await createClient(ctx, options)).account.balance();
  const held = /^0(\.0*)?$/.test(found.held) ? "" : `, ${found.held} held`;
  const suspended = found.wallet === "suspended" ? ". The wallet is suspended" : "";
  return done(`${found.balance} ${found.currency}${held}${suspended}`, wireNames(found));
}

/** The commands under `corprail recharge`. */
export function rechargeCommands(recharge: Command): void {
  const create = withPace(withProfile(recharge.command("create")))
    .requiredOption("--account <number>", "the number or account to recharge")
    .requiredOption("--operator <code>", "the operator's code, such as AT")
    .requiredOption("--amount <rupees>", "the amount, such as 199.00")
    .option("--urid <reference>", "your own reference; generated and printed on standard error if omitted")
    .option("--circle <code>", "the circle's code")
    .option("--wait", "wait until it is decided");
  reportingClient(create, createRecharge, "corprail recharge create --account 9876543210 --operator AT --amount 199.00 --urid INV-1 --wait")
    .summary("Create a recharge")
    .description(
      "Create a recharge. Sending the same --urid again is safe: one urid makes one order. Ends with 3 when nothing was charged, with 4 when it is not decided.",
    );
  reportingClient(withReference(recharge.command("get")), getRecharge, "corprail recharge get --urid INV-1")
    .summary("Show the status of a recharge")
    .description("Show the status of a recharge, by your reference or the service's order id.");
  reportingClient(
    withPace(withReference(recharge.command("wait"))),
    waitRecharge,
    "corprail recharge wait --urid INV-1 --give-up-after 300",
  )
    .summary("Wait until a recharge is decided")
    .description("Ask until a recharge is decided: at once, then once a minute, for 15 minutes.");
}

/** The commands under `corprail complaint`. */
export function complaintCommands(complaint: Command): void {
  const raise = withReference(complaint.command("raise"))
    .option("--request-id <reference>", "your reference of a bill, transfer, ticket or AEPS transaction")
    .option("--service <name>", "with --request-id, when several services have that reference")
    .addOption(new Option("--reason <code>", "what is wrong").choices(COMPLAINT_REASONS).makeOptionMandatory())
    .requiredOption("--description <text>", "5 to 500 characters")
    .option("--complaint-request-id <reference>", "your own reference of the complaint");
  reportingClient(
    raise,
    raiseComplaint,
    'corprail complaint raise --urid INV-1 --reason not_credited --description "No credit after a day"',
  )
    .summary("Raise a complaint about a transaction")
    .description("Raise a complaint about a transaction. It can end in a refund to the wallet.");
  reportingClient(withProfile(complaint.command("get <reference>")), getComplaint, "corprail complaint get CMP0123456789AB").description(
    "Show the status of a complaint",
  );
  const list = withProfile(complaint.command("list"))
    .addOption(new Option("--status <status>", "only those").choices(["OPEN", "RESOLVED", "REFUNDED"]))
    .option("--from <day>", "India day, YYYY-MM-DD")
    .option("--to <day>", "India day, YYYY-MM-DD")
    .addOption(new Option("--most <number>", "how many; 50 unless given").argParser(count));
  reportingClient(list, listComplaints, "corprail complaint list --status OPEN").description("Show complaints, the newest first");
}

export function requestCommands(program: Command): void {
  const request = withRequest(program.command("request <method> <path>"))
    .option("--unsigned", "send the token alone, although there is a signing secret")
    .option("--include", "show the answer's status and headers too");
  reportingClient(request, sendRequest, "corprail request POST /bills/fetch --data @fetch.json")
    .summary("Send any request, signed")
    .description("Send any request, signed, once. The path is below /api/corp/v1, or begins with /api/.");
  const sign = withRequest(program.command("sign <method> <path>"))
    .option("--timestamp <seconds>", "X-Api-Timestamp; now unless given")
    .option("--nonce <text>", "X-Api-Nonce; random unless given")
    .option("--against <file>", "your own six lines (- is standard input): says which of them differ");
  reportingClient(sign, signRequestLines, "corprail sign GET /balance")
    .summary("Show how a request is signed")
    .description("Show the six lines, the body's hash, the headers and a ready curl line. Nothing is sent, and the secret is not shown.");
}

export function withProfile(command: Command): Command {
  return command.option(
    "--profile <name>",
    "the profile to use; else the environment's CORPRAIL_TOKEN and so on, else the current profile",
  );
}

function withReference(command: Command): Command {
  return withProfile(command).option("--urid <reference>", "your reference").option("--order-id <id>", "the service's order id");
}

function withRequest(command: Command): Command {
  return withProfile(command)
    .addOption(new Option("--query <name=value>", "a query parameter, not escaped; may be given several times").argParser(collect))
    .option("--data <json>", "the body: the text itself, @file, or - for standard input");
}

function withPace(command: Command): Command {
  return command
    .addOption(new Option("--first-after <seconds>", "before the first look").argParser(milliseconds))
    .addOption(new Option("--every <seconds>", "between two looks; 60 unless given").argParser(milliseconds))
    .addOption(new Option("--give-up-after <seconds>", "then it ends with 4; 900 unless given").argParser(milliseconds));
}

export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function milliseconds(text: string): number {
  const seconds = /^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= 86_400)) throw new InvalidArgumentError("It must be seconds, up to 86400.");
  return Math.round(seconds * 1000);
}

export function count(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}
