import type { DeskOptions, Desks } from "../signed/desks.ts";
import type { AepsDesk } from "./desk.ts";
import { SIMULATOR_DESK } from "./simulator/desk.ts";

/** Every provider's desk for this service, by the provider's name. */
export function openAepsDesks(_options: DeskOptions): Desks<AepsDesk> {
  return { simulator: SIMULATOR_DESK };
}
