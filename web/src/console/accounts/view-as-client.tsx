import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { toastError } from "../../ui/overlays/toast.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { post } from "../api.ts";
import { SUPPORT, useMay } from "../session.ts";

// The new tab is in front while the console may still ask for confirmation.
const WAITING = "Opening the client's portal. If nothing happens, go back to the console. It may ask you to confirm your identity.";

/** Opens the client's portal read-only in a new tab. */
export function ViewAsClient({ accountId }: { readonly accountId: string }): ReactNode {
  const { busy, attempt } = useAttempt();
  const open = async () => {
    // Opened before the request, because browsers allow new tabs only during a click.
    const tab = window.open("", "_blank");
    if (tab !== null) tab.document.body.textContent = WAITING;
    try {
      const { url } = await post("/accounts/:account_id/view-as-client", { account_id: accountId });
      if (tab === null) throw new ApiError(0, "no_tab", "The browser blocked the new tab. Allow pop-ups for this site, then try again.");
      tab.opener = null;
      tab.location.replace(url);
    } catch (refused) {
      tab?.close();
      toastError(refused);
    }
  };
  if (!useMay(SUPPORT)) return null;
  return (
    <Button icon={ExternalLink} busy={busy} onClick={() => void attempt(open)}>
      View as client
    </Button>
  );
}
