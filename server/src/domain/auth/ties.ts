import type { Transaction } from "../../platform/db/connection.ts";
import type { Realm } from "./context.ts";
import { personActor } from "./record.ts";

export type Tie = {
  readonly realm: Realm;
  readonly userId: string;
  /** Who did it; of a key, whoever made the key. Null when it was nobody of the staff, such as the first start. */
  readonly by: string | null;
  readonly why: "invited" | "role_changed" | "enabled" | "second_factor_reset";
  readonly at: Date;
};

/** Writes down who gave a member of staff their access: for a while neither of the two can approve for the other. */
export async function tie(tx: Transaction, { realm, userId, by, why, at }: Tie): Promise<void> {
  const person = personActor(realm, userId);
  if (realm !== "console" || by === null || by === person) return;
  await tx`insert into staff_ties (person, by_person, why, at) values (${person}, ${by}, ${why}, ${at})`;
}
