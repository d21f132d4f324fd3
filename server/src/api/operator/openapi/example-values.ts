import type { ExampleValues } from "../../../domain/client-api/route.ts";

// By field, or by parent and field. Fields that the client API has too take its values.
export const VALUES: ExampleValues = {
  account_id: "ACC7K3M9Q2X4B8C",
  account_name: "Asha Stores",
};
