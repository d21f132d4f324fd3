import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError, post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { toastError } from "../../ui/toast.tsx";
import { SUPPORT, useMay } from "../session.ts";

// The new tab is in front while the console may still ask for a proof.
const WAITING =
  "The client's portal is being opened. If nothing happens, go back to the console: it may ask you to confirm that it is you.";

/** Opens the client's portal as they see it, where nothing can be changed. */
export function ViewAsClient({ accountId }: { readonly accountId: string }): ReactNode {
  const { busy, attempt } = useAttempt();
  const open = async () => {
    // Opened at once: a browser lets only a click open a tab, and the link takes a moment.
    const tab = window.open("", "_blank");
    if (tab !== null) tab.document.body.textContent = WAITING;
    try {
      const { url } = await post<{ url: string }>(`/accounts/${accountId}/view-as-client`);
      if (tab === null) throw new ApiError(0, "no_tab", "The browser did not open a tab. Allow pop-ups for this site, then try again.");
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
