import { type Money, parseMoney } from "@corprail/server/platform/core/money";
import { type Command, InvalidArgumentError, Option } from "commander";
import { reporting, reportingClient } from "../shared/reporting.ts";
import type { ClientContext, CommandContext } from "../shared/run-command.ts";
import type { RecordOptions } from "./record-provider.ts";
import type { RefreshOptions } from "./refresh-lists.ts";
import type { RouteOptions } from "./route-provider.ts";
import type { TestOptions } from "./test-provider.ts";
import type { TwinCommandOptions } from "./twin-provider.ts";

// Loaded on demand, because the connectors take longer to load than all other commands together.
const verbs = {
  list: async (ctx: CommandContext) => await (await plugged(ctx, import("./list-providers.ts"))).listProviders(ctx),
  save: async (ctx: CommandContext, file: string) => await (await plugged(ctx, import("./save-provider.ts"))).saveProviderFile(ctx, file),
  test: async (ctx: CommandContext, file: string, options: TestOptions) =>
    await (await plugged(ctx, import("./test-provider.ts"))).testProvider(ctx, file, options),
  check: async (ctx: CommandContext, fileOrName: string) =>
    await (await plugged(ctx, import("./check-provider.ts"))).checkProvider(ctx, fileOrName),
  twin: async (ctx: CommandContext, file: string, options: TwinCommandOptions) =>
    await (await plugged(ctx, import("./twin-provider.ts"))).twinProvider(ctx, file, options),
  record: async (ctx: CommandContext, file: string, options: RecordOptions) =>
    await (await plugged(ctx, import("./record-provider.ts"))).recordProvider(ctx, file, options),
  replay: async (ctx: CommandContext, recording: string, file: string | undefined) =>
    await (await plugged(ctx, import("./replay-provider.ts"))).replayProvider(ctx, recording, file),
  refresh: async (ctx: CommandContext, name: string, options: RefreshOptions) =>
    await (await plugged(ctx, import("./refresh-lists.ts"))).refreshLists(ctx, name, options),
  enable: async (ctx: CommandContext, name: string) => await (await plugged(ctx, import("./switch-provider.ts"))).enableProvider(ctx, name),
  disable: async (ctx: CommandContext, name: string) =>
    await (await plugged(ctx, import("./switch-provider.ts"))).disableProvider(ctx, name),
  route: async (ctx: CommandContext, service: string, operator: string, name: string, options: RouteOptions) =>
    await (await plugged(ctx, import("./route-provider.ts"))).routeProvider(ctx, service, operator, name, options),
  unroute: async (ctx: CommandContext, service: string, operator: string, name: string) =>
    await (await plugged(ctx, import("./route-provider.ts"))).unrouteProvider(ctx, service, operator, name),
  init: async (ctx: ClientContext, name: string | undefined, file: string | undefined) =>
    await (await import("./init-provider.ts")).initProvider(ctx, name, file),
  new: async (ctx: ClientContext, folder: string) => await (await import("./new-plugin.ts")).newPlugin(ctx, folder),
};

/** Loads the plug-ins before a command's own code looks at providers. */
async function plugged<Module>(ctx: CommandContext, loading: Promise<Module>): Promise<Module> {
  const [{ usePluginsOf }, module] = await Promise.all([import("./plugins.ts"), loading]);
  await usePluginsOf(ctx);
  return module;
}

/** The commands under `corprail provider`. */
export function providerCommands(provider: Command): void {
  reportingClient(provider.command("init [name] [file]"), verbs.init, "corprail provider init eko")
    .summary("Write a description that comes with Corprail to a file")
    .description(
      "Write the description of a well-known provider to a file, to be saved as a provider. Without a name it lists the descriptions that come with Corprail.",
    );
  addTest(provider);
  reporting(provider.command("check <file-or-name>"), verbs.check, "corprail provider check quickpay.json")
    .summary("Log in at a provider and query the balance")
    .description(
      "Log in at the real provider, query our balance there, and report how each step went. It orders nothing and changes nothing. Takes a file with its secrets, or the name of a saved provider. Ends with 0 or 1.",
    );
  addTwin(provider);
  addRecord(provider);
  reporting(provider.command("save <file>"), verbs.save, "CORPRAIL_PROVIDER_QUICKPAY_TOKEN=… corprail provider save quickpay.json")
    .summary("Add or change a provider")
    .description(
      "Add or change the provider that a file describes. Its secrets come from CORPRAIL_PROVIDER_<NAME>_<SECRET> or from the .secrets file beside it, and are sealed into the database.",
    );
  reporting(provider.command("list"), verbs.list, "corprail provider list --json")
    .summary("Show providers, routes and lists")
    .description("Show providers, routes and the age of each provider's lists; of their secrets only which are set.");
  addRefresh(provider);
  reporting(provider.command("enable <name>"), verbs.enable, "corprail provider enable quickpay").description(
    "Allow orders to go to a provider",
  );
  reporting(provider.command("disable <name>"), verbs.disable, "corprail provider disable quickpay")
    .summary("Stop sending new orders to a provider")
    .description("Stop sending new orders to a provider. It is still asked about the orders that it has.");
  addRoutes(provider);
  reportingClient(provider.command("new <folder>"), verbs.new, "corprail provider new quickpay")
    .summary("Create a plug-in to start from")
    .description("Create a package with a plug-in that builds and passes its tests, to start from (docs/plug-ins.md).");
}

function addRefresh(provider: Command): void {
  const refresh = provider.command("refresh <name>").option("--accept-smaller", "take a list over even if it gets much smaller or empty");
  reporting(refresh, verbs.refresh, "corprail provider refresh quickpay")
    .summary("Refresh a provider's billers, banks, cities and plans")
    .description("Let the running service read a provider's lists of billers, banks, cities and plans again, and wait for the result.");
}

function addTest(provider: Command): void {
  const test = provider
    .command("test <file>")
    .option("--answer <sample>", "a file that holds an answer of the provider")
    .addOption(new Option("--http-status <number>", "the answer's HTTP status; 200 unless given").argParser(httpStatus))
    .addOption(
      new Option("--for <call>", "the call that the answer is for; request unless given").choices(["request", "status", "callback"]),
    )
    .option("--operation <name>", "the operation, such as bills.fetch; the first of the description unless given")
    .option("--step <name>", "the step that the answer is for; the last unless given")
    .option("--reference <text>", "our reference, as the sample answer repeats it")
    .option("--target <number>", "the number or account to serve")
    .option("--operator <code>", "our operator's code")
    .option("--circle <code>", "our circle's code")
    .addOption(new Option("--amount <rupees>", "the amount, such as 199 or 199.50").argParser(amount))
    .option("--computed", "compute signatures with the secrets, and show what they are made of")
    .option("--token <text>", "the login's token")
    .addOption(
      new Option(
        "--time <time>",
        "the time of the calls, such as 2026-01-31T12:00:00+05:30, or seconds or milliseconds since 1970",
      ).argParser(time),
    )
    .option("--nonce <text>", "every random value, such as {unique_id}")
    .option("--header <header...>", 'a header of a callback, such as "X-Signature: 9f86"')
    .hook("preAction", (command) => {
      const { for: call, answer, httpStatus: status } = command.opts<TestOptions>();
      if (call && answer === undefined && status === undefined) command.error("error: --for needs --answer or --http-status");
    });
  reporting(test, verbs.test, "corprail provider test quickpay.json --answer sample.txt --reference ORDER7")
    .summary("Show what a description would send and how it reads an answer")
    .description(
      "Show the requests that a description would send, secrets masked, and how it reads a sample answer. Nothing leaves the machine, and no database is needed.",
    );
}

// Written out, because the list itself is loaded with the connectors.
const FAULTS = ["slow", "cut", "500", "duplicate", "late-callback", "wrong-signature", "out-of-money", "double-answer"];

function addTwin(provider: Command): void {
  const twin = provider
    .command("twin <description-or-recording>")
    .addOption(new Option("--port <number>", "the port; 8790 unless given, 0 for any free one").argParser(portNumber))
    .addOption(new Option("--fault <name>", "what goes wrong with every order").choices(FAULTS))
    .addOption(new Option("--answer <result>", "what every order is answered; success unless given").choices(["declined", "pending"]))
    .option("--callback-url <url>", "where callbacks go, such as http://127.0.0.1:8080/upstream/quickpay/callback")
    .addOption(new Option("--delay <seconds>", "when later results are there; 3 unless given").argParser(wholeNumber))
    .option("--write <file>", "write a description that leads to the twin");
  reporting(twin, verbs.twin, "corprail provider twin quickpay.json --fault late-callback --write local.json")
    .summary("Serve a provider's API on this machine, for rehearsals")
    .description(
      "Serve a provider's API on this machine from its description and its samples, or from a recording, until Control-C. Orders are kept in memory. The last digits of a number choose results and faults (docs/proving-a-provider.md).",
    );
}

function addRecord(provider: Command): void {
  const record = provider
    .command("record <file>")
    .option("--operation <name>", "the operation, such as bills.fetch")
    .addOption(new Option("--for <call>", "what is sent of a transaction; request unless given").choices(["request", "status"]))
    .option("--spend", "carry a transaction out, which moves real money")
    .option("--target <number>", "the number or account to serve")
    .addOption(new Option("--amount <rupees>", "the amount, such as 199 or 199.50").argParser(amount))
    .option("--operator <code>", "our operator's code")
    .option("--circle <code>", "our circle's code")
    .option("--input <file>", "a JSON file with the input of a query, or the details of a transaction")
    .option("--reference <text>", "our reference; a new one unless given")
    .option("--provider-ref <text>", "the provider's own id, for a status query")
    .option("--out <file>", "where the recording goes; named after provider and operation unless given");
  reporting(record, verbs.record, "corprail provider record quickpay.json --operation balance")
    .summary("Record a real conversation with a provider in a file")
    .description(
      "Carry an operation out at the real provider, once, and record the conversation in a file. Secrets, tokens, signatures, identities and account numbers are masked in it. A transaction moves real money and needs --spend.",
    );
  const replay = provider.command("replay <recording> [file]");
  reporting(replay, verbs.replay, "corprail provider replay quickpay.balance.recording.json quickpay.json")
    .summary("Replay a recording without a network, and compare")
    .description(
      "Replay the operations of a recording against the recorded answers and with the recorded time and ids. Every request is compared byte for byte, and every outcome. With a file, the provider is as the file describes it. Nothing leaves the machine.",
    );
}

function addRoutes(provider: Command): void {
  const route = provider
    .command("route <service> <operator> <name>")
    .addOption(new Option("--priority <number>", "1 to 1000, lower ones are tried first; 100 for a new route").argParser(wholeNumber))
    .addOption(
      new Option("--weight <number>", "1 to 1000, how often it comes first among equals; 100 for a new route").argParser(wholeNumber),
    );
  reporting(route, verbs.route, "corprail provider route recharge AT quickpay --priority 10")
    .summary("Add or change a route")
    .description("Send a service's orders for an operator to a provider; * means any. Only the most specific routes apply.");
  reporting(provider.command("unroute <service> <operator> <name>"), verbs.unroute, "corprail provider unroute recharge AT quickpay")
    .summary("Delete a route")
    .description("Delete a route. When it was the last one for its operator, the more general routes apply again.");
}

function httpStatus(text: string): number {
  if (!/^[1-5][0-9]{2}$/.test(text)) throw new InvalidArgumentError("It must be a number from 100 to 599.");
  return Number(text);
}

function time(text: string): number {
  if (/^[0-9]{10}$/.test(text)) return Number(text) * 1000;
  const at = /^[0-9]{13}$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(at))
    throw new InvalidArgumentError("It must be a time such as 2026-01-31T12:00:00+05:30, or seconds or milliseconds since 1970.");
  return at;
}

function portNumber(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
  if (number < 0 || number > 65_535) throw new InvalidArgumentError("It must be a port from 0 to 65535.");
  return number;
}

function wholeNumber(text: string): number {
  const number = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 1000) throw new InvalidArgumentError("It must be a whole number from 1 to 1000.");
  return number;
}

function amount(text: string): Money {
  const money = parseMoney(text);
  if (money === null) throw new InvalidArgumentError("It must be an amount such as 199 or 199.50.");
  return money;
}
