import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import type { Switchable } from "./impact.ts";
import { SwitchDialog } from "./switch-dialog.tsx";

type Props = {
  readonly switched: Switchable;
  readonly name: string;
  readonly enabled: boolean;
  /** The effect of switching off, shown in the dialog. */
  readonly whenOff: string;
  readonly whenOn: string;
  /** Makes the change and reads the affected data again. */
  readonly turn: (change: { readonly enabled: boolean; readonly reason: string | undefined }) => Promise<unknown>;
};

/** Switches an operator, service or provider on or off after showing the impact. */
export function SwitchButton({ switched, name, enabled, whenOff, whenOn, turn }: Props): ReactNode {
  // Stored at the click, so that a refresh does not change the open dialog.
  const [wanted, setWanted] = useState<"on" | "off" | null>(null);
  const change = async (reason: string | undefined) => {
    await turn({ enabled: wanted === "on", reason });
    toast(`${name} was switched ${wanted}.`);
  };
  return (
    <>
      <Button look={enabled ? "danger" : "primary"} onClick={() => setWanted(enabled ? "off" : "on")}>
        {enabled ? "Switch off" : "Switch on"}
      </Button>
      {wanted !== null && (
        <SwitchDialog
          title={`Switch ${name} ${wanted}?`}
          action={`Switch ${name} ${wanted}`}
          danger={wanted === "off"}
          switched={switched}
          onClose={() => setWanted(null)}
          onConfirm={change}
        >
          {wanted === "off" ? whenOff : whenOn}
        </SwitchDialog>
      )}
    </>
  );
}
