import { anyObject } from "../../sites/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { operatorDocument } from "./document.ts";

/** Shows the description of all actions, for the reference at /docs/operator and for generators. */
export function openApiAction(actions: () => readonly Action[]): Action {
  return action({
    path: "GET /openapi",
    summary: "Shows this description.",
    roles: EVERYBODY,
    output: anyObject,
    handler: async () => operatorDocument(actions()),
  });
}
