import { Eye } from "lucide-react";
import type { ReactNode } from "react";
import { portalText } from "../messages/en/portal.ts";
import { rich } from "../messages/rich.tsx";
import { useSignOut } from "../shell/sign-out.ts";
import { Button } from "../ui/button.tsx";
import { useSession } from "./session.ts";

/** Tells staff that they are viewing a client's portal read-only. */
export function Viewing(): ReactNode {
  const session = useSession();
  const leave = useSignOut();
  if (!session?.viewing) return null;
  return (
    <aside
      aria-label={portalText.viewingAsTheClient}
      className="flex items-center gap-3 border-wait/40 border-b bg-wait-tint px-4 py-2 lg:px-8"
    >
      <Eye aria-hidden className="size-5 shrink-0 text-wait" />
      <p className="min-w-0 grow">
        {rich(portalText.youAreViewingThePortal, { client: <strong className="font-semibold">{session.account.name}</strong> })}
      </p>
      <Button onClick={leave}>{portalText.stopViewing}</Button>
    </aside>
  );
}
