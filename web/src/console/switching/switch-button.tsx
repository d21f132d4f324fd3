import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { SwitchDialog } from "./switch-dialog.tsx";

type Props = {
  /** The list it belongs to, as the API calls it: `/operators`. */
  readonly list: string;
  readonly code: string;
  readonly name: string;
  readonly enabled: boolean;
  /** What the switch does, told before it is turned. */
  readonly whenOff: string;
  readonly whenOn: string;
};

/** Turns something of the catalogue on or off, after saying what that touches. */
export function SwitchButton({ list, code, name, enabled, whenOff, whenOn }: Props): ReactNode {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const change = async (reason: string | undefined) => {
    await post(`${list}/${code}`, { enabled: !enabled, reason });
    await queries.invalidateQueries({ queryKey: [list] });
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
          impact={`${list}/${code}/impact`}
          onClose={() => setAsking(false)}
          onConfirm={change}
        >
          {enabled ? whenOff : whenOn}
        </SwitchDialog>
      )}
    </>
  );
}
