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
  const [asking, setAsking] = useState(false);
  const change = async (reason: string | undefined) => {
    await turn({ enabled: !enabled, reason });
    toast(`${name} is switched ${enabled ? "off" : "on"}.`);
  };
  return (
    <>
      <Button look={enabled ? "danger" : "primary"} onClick={() => setAsking(true)}>
        {enabled ? "Switch off" : "Switch on"}
      </Button>
      {asking && (
        <SwitchDialog
          title={`Switch ${name} ${enabled ? "off" : "on"}?`}
          action={enabled ? "Switch it off" : "Switch it on"}
          danger={enabled}
          impact={`${path}/impact`}
          onClose={() => setAsking(false)}
          onConfirm={change}
        >
          {enabled ? whenOff : whenOn}
        </SwitchDialog>
      )}
    </>
  );
}
