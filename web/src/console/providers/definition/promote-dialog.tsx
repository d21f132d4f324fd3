import type { ReactNode } from "react";
import { toast } from "../../../ui/overlays/toast.tsx";
import { post } from "../../api.ts";
import { ReasonDialog } from "../../reason-dialog.tsx";
import { useProvidersChanged } from "../provider.ts";
import type { Version } from "./versions-page.tsx";

type PromoteProps = {
  readonly provider: string;
  readonly version: Pick<Version, "version" | "state" | "compared" | "differing">;
  readonly onClose: () => void;
};

/** Asks before a version becomes the current one. */
export function PromoteDialog({ provider, version: { version, compared, differing, state }, onClose }: PromoteProps): ReactNode {
  const changed = useProvidersChanged();
  return (
    <ReasonDialog
      title={`Make version ${version} of ${provider} current?`}
      action="Make current"
      danger={differing > 0}
      onClose={onClose}
      run={async (reason) => {
        await post("/providers/:provider/versions/:version/promote", { provider, version, ...(reason ? { reason } : {}) });
        await changed();
        toast(`Version ${version} of ${provider} is current.`);
      }}
    >
      All new orders use this version. Orders that were sent with another version are finished by that one.
      {state === "candidate" && compared > 0 && ` It read ${differing} of ${compared} answers otherwise than the current version.`}
    </ReasonDialog>
  );
}
