import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { SwitchDialog } from "./switch-dialog.tsx";

type Props = {
  /** As the API calls it: `/operators/AT`. */
  readonly path: string;
  readonly name: string;
  readonly enabled: boolean;
  /** What the switch does, told before it is turned. */
  readonly whenOff: string;
  readonly whenOn: string;
  /** Turns it, and has what shows it read again. */
  readonly turn: (change: { readonly enabled: boolean; readonly reason: string | undefined }) => Promise<unknown>;
};

/** Switches an operator, a service or a provider on or off, after saying what that touches. */
export function SwitchButton({ path, name, enabled, whenOff, whenOn, turn }: Props): ReactNode {
  // What is asked for stays as it was asked until the dialog is gone, whatever has been read again meanwhile.
  const [wanted, setWanted] = useState<"on" | "off" | null>(null);
  const change = async (reason: string | undefined) => {
    await turn({ enabled: wanted === "on", reason });
    toast(`${name} is switched ${wanted}.`);
  };
  return (
    <>
      <Button look={enabled ? "danger" : "primary"} onClick={() => setWanted(enabled ? "off" : "on")}>
        {enabled ? "Switch off" : "Switch on"}
      </Button>
      {wanted !== null && (
        <SwitchDialog
          title={`Switch ${name} ${wanted}?`}
          action={`Switch it ${wanted}`}
          danger={wanted === "off"}
          impact={`${path}/impact`}
          onClose={() => setWanted(null)}
          onConfirm={change}
        >
          {wanted === "off" ? whenOff : whenOn}
        </SwitchDialog>
      )}
    </>
  );
}
