import { type Command, InvalidArgumentError, Option } from "commander";
import { withProfile } from "../client/commands.ts";
import { group, reportingClient } from "../shared/reporting.ts";
import { listenForCallbacks } from "./listen.ts";
import { verifyCallbacks } from "./verify-callback.ts";

export function callbackCommands(program: Command): void {
  const verify = group(program.command("verify"), "corprail verify callback request.txt").description("Verify what the service sent");
  const callback = withProfile(verify.command("callback [files...]"))
    .addOption(new Option("--at <seconds>", "verify as of this Unix time, for a callback that was recorded").argParser(unixSeconds))
    .option("--seen <file>", "keep nonces there, so that a replay is found by the next run");
  reportingClient(callback, verifyCallbacks, "corprail verify callback request.txt --at 1750000000")
    .summary("Verify a callback and name the check that failed")
    .description(
      "Verify a callback and name the check that failed. A file (standard input unless given) holds the raw request: request line, headers, empty line, body; for version 2 the URL alone will do.",
    );
  const listen = withProfile(program.command("listen"))
    .addOption(new Option("--port <number>", "8787 unless given; 0 for any that is free").argParser(port))
    .option("--host <address>", "127.0.0.1 unless given")
    .option("--forward <url>", "send what is genuine on to this address, and answer as it answers")
    .option("--forward-all", "forward what is refused too");
  reportingClient(listen, listenForCallbacks, "corprail listen --port 8787 --forward http://127.0.0.1:3000/corprail")
    .summary("Receive callbacks on this machine")
    .description("Receive callbacks on this machine: verify, print one line each, forward. Ends with SIGINT or SIGTERM.");
}

function unixSeconds(text: string): number {
  if (!/^[1-9][0-9]{9}$/.test(text)) throw new InvalidArgumentError("It must be Unix time in seconds.");
  return Number(text);
}

function port(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("It must be a port, 0 to 65535.");
  return Number(text);
}
