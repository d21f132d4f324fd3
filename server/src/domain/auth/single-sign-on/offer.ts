import type { AuthContext } from "../context.ts";
import { readEmail } from "../user.ts";
import { domainOf } from "./identity-provider.ts";
import { findProvider, findProviderOfDomain, hasProvider } from "./store.ts";

/** What the sign-in page offers: the provider of staff by its name, that of a client after the email address. */
export async function offerSignOn({ sql, realm }: AuthContext): Promise<{ readonly name: string | null } | null> {
  if (realm === "portal") return (await hasProvider(sql, realm)) ? { name: null } : null;
  const provider = await findProvider(sql, { realm, accountId: null });
  return provider?.enabled ? { name: provider.name } : null;
}

/** Whether single sign-on is enforced for the domain of an address, of a user or not. */
export async function isDomainEnforced({ sql, realm }: AuthContext, written: string): Promise<boolean> {
  const email = readEmail(written);
  return email !== null && ((await findProviderOfDomain(sql, realm, domainOf(email)))?.enforced ?? false);
}
