import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CallbackView } from "../../callbacks/callback-drawer.tsx";
import { callbacksText } from "../../messages/en/callbacks.ts";
import { useMay } from "../session.ts";

export function CallbackDrawer(): ReactNode {
  const { callbackId } = useParams({ from: "/shell/callbacks/$callbackId" });
  const mayResend = useMay("workers");
  return <CallbackView callbackId={callbackId} side={{ mayResend, reference: callbacksText.yourReference }} />;
}
