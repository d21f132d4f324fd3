import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CallbackView } from "../../callbacks/callback-drawer.tsx";
import { SUPPORT, useMay } from "../session.ts";

export function CallbackDrawer(): ReactNode {
  const { callbackId } = useParams({ from: "/console/callbacks/$callbackId" });
  const mayResend = useMay(SUPPORT);
  return (
    <CallbackView
      callbackId={callbackId}
      side={{
        mayResend,
        reference: "Client's reference",
        more: ({ account_id: accountId }) => ({
          Account: (
            <Link to="/accounts/$accountId" params={{ accountId }} className="link font-mono">
              {accountId}
            </Link>
          ),
        }),
      }}
    />
  );
}
