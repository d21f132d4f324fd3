import { writeFile } from "node:fs/promises";
import { readDescription } from "@corprail/server/domain/providers/description/definition";
import { describe } from "@corprail/server/domain/providers/settings/described-provider";
import type { TwinAnswer, TwinFault } from "@corprail/server/domain/providers/twin/behaviour";
import { localDescription } from "@corprail/server/domain/providers/twin/local-description";
import type { TwinEvent } from "@corprail/server/domain/providers/twin/service";
import { startRecordedTwin } from "@corprail/server/domain/providers/twin/start-recorded-twin";
import { startTwin, type TwinOptions, UnservableDescription } from "@corprail/server/domain/providers/twin/start-twin";
import type { JsonObject } from "@corprail/server/platform/core/strict-json";
import { redact } from "@corprail/server/platform/observability/redact";
import { counted } from "../shared/counted.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext, OutputOptions } from "../shared/run-command.ts";
import { faulty, readProviderFile, secretsFor } from "./provider-file.ts";
import { recordingIn } from "./recording-file.ts";

export type TwinCommandOptions = OutputOptions & {
  readonly port?: number;
  readonly fault?: TwinFault;
  readonly answer?: TwinAnswer;
  readonly callbackUrl?: string;
  readonly delay?: number;
  readonly write?: string;
};

const DEFAULT_PORT = 8790;

/** What is served, and the file that leads to it. */
type Served = {
  readonly provider: string;
  readonly leadingTo: (origin: string) => JsonObject;
  readonly start: (options: TwinOptions) => Promise<Started>;
};
type Started = { readonly origin: string; readonly close: () => Promise<void> };

/** Serves a provider's API on this machine until SIGINT or SIGTERM, and prints a line for every request and callback. */
export async function twinProvider(ctx: CommandContext, path: string, options: TwinCommandOptions): Promise<Outcome> {
  const served = await servedFrom(ctx, path);
  if ("exitCode" in served) return served;
  const counts = { request: 0, callback: 0 };
  const { fault, answer, callbackUrl, port = DEFAULT_PORT, delay } = options;
  const stopped = untilStopped();
  try {
    const twin = await served.start({
      ...{ fault, answer, port },
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
      ...(delay === undefined ? {} : { delayMilliseconds: delay * 1000 }),
      onEvent: (event) => {
        counts[event.kind] += 1;
        process.stdout.write(`${redact(options.json ? JSON.stringify(event) : lineOf(event))}\n`);
      },
    });
    if (options.write !== undefined) await writeFile(options.write, `${JSON.stringify(served.leadingTo(twin.origin), null, 2)}\n`);
    ctx.note(`The twin of ${served.provider} listens on ${twin.origin}. Control-C ends it.`);
    await stopped;
    await twin.close();
    return done(`${counted(counts.request, "request")}, ${counted(counts.callback, "callback")}.`, {
      requests: counts.request,
      callbacks: counts.callback,
    });
  } catch (error) {
    if (error instanceof UnservableDescription) return failed(error.message);
    throw error;
  }
}

async function servedFrom(ctx: CommandContext, path: string): Promise<Served | Outcome> {
  const recording = await recordingIn(path);
  if (recording !== null) {
    const { provider, connector, settings } = recording;
    const leadingTo = (origin: string) => {
      const { plain_http: isPlain, ...local } = localDescription(describe({ provider, connector, settings }), origin);
      // A plug-in's settings are its own, and may not have this one.
      return connector === "plugin" ? local : { ...local, plain_http: isPlain ?? true };
    };
    return { provider, leadingTo, start: (options) => startRecordedTwin(recording, options) };
  }
  const read = await readProviderFile(path);
  if (!read.ok) return faulty(path, read.faults);
  const { connector, settings, provider } = read.file;
  if (connector !== "description") return failed(`A twin is made from a description or a recording: ${connector} has no description.`);
  const description = readDescription(settings);
  if (!description.ok) return faulty(path, description.faults);
  const secrets = await secretsFor(ctx, path, read.file);
  const leadingTo = (origin: string) => localDescription(settings, origin);
  return { provider, leadingTo, start: (options) => startTwin(description.definition, { ...options, secrets }) };
}

function lineOf(event: TwinEvent): string {
  if (event.kind === "callback") return `callback ${event.result} ${event.reference} -> ${event.answered}`;
  return `${event.operation ?? "unknown call"} ${event.reference ?? ""} -> ${event.answered}`;
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
