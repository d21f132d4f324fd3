import { listShipped, type ShippedDescription } from "../../../domain/providers/shipped/shipped-descriptions.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { providerParams } from "../fields.ts";
import { noSuch, pageOrRefusal } from "../refusal.ts";
import { shippedDescriptionDetailOutput, shippedDescriptionOutput } from "./outputs.ts";

const listDescriptions = action({
  path: "GET /provider-descriptions",
  summary: "Lists the descriptions of providers that come with Corprail.",
  roles: OPERATIONS,
  query: shortListQuery,
  output: pageOf(shippedDescriptionOutput),
  handler: async ({ query }) => pageOrRefusal(shortPage(await listShipped(), query, shippedView, ({ name }) => name)),
});

const showDescription = action({
  path: "GET /provider-descriptions/:provider",
  summary: "Shows a description that comes with Corprail, to add a provider from it.",
  roles: OPERATIONS,
  params: providerParams,
  output: shippedDescriptionDetailOutput,
  handler: async ({ params: { provider } }) => {
    const found = (await listShipped()).find((one) => one.name === provider);
    return found ? { ...shippedView(found), definition: found.definition } : noSuch("description");
  },
});

function shippedView({ name, services }: ShippedDescription) {
  return { provider: name, services, documentation: `docs/providers/${name}.md` };
}

/** Descriptions that come with Corprail. */
export const shippedActions: readonly Action[] = [listDescriptions, showDescription];
