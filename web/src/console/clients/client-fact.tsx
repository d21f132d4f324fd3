import type { Fact } from "../../ui/page.tsx";

/** Names the client in a dialog. The id is part of it, because names are not unique. */
export function clientFact({ account_id: accountId, name }: { readonly account_id: string; readonly name: string }): Fact {
  return [
    "Client",
    <span key="client">
      <span className="font-medium">{name}</span> <code className="font-mono text-soft text-xs">{`${accountId}`}</code>
    </span>,
  ];
}
