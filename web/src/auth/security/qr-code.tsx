import type { ReactNode } from "react";
import { encode } from "uqr";
import { securityText } from "../../messages/en/security.ts";

/** Drawn in the browser, so that the secret is not sent anywhere. White background in both themes, for scanners. */
export function QrCode({ text }: { readonly text: string }): ReactNode {
  const { data, size } = encode(text, { border: 2 });
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={securityText.qrCodeForTheAuthenticator}
      className="size-48 rounded-lg bg-white"
      shapeRendering="crispEdges"
    >
      <path d={dots.join("")} fill="#000" />
    </svg>
  );
}
