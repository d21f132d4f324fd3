import type { ReactNode } from "react";
import { Area, AreaChart, Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import type { ChartProps, Series } from "./chart.tsx";

// So few are categories, such as ages, and each needs its label. Many are times.
const FEW_POINTS = 6;

const COLOUR: Readonly<Record<Series["tone"], string>> = {
  good: "var(--good)",
  bad: "var(--bad)",
  wait: "var(--wait)",
  accent: "var(--accent)",
};
const TEXT = { fill: "var(--soft)", fontSize: 12 };
const BOX = { background: "var(--raised)", border: "1px solid var(--line)", borderRadius: 8, color: "var(--ink)" };

/** Default export, because chart.tsx loads this module lazily. */
export default function ChartDrawing({ title, kind, x, series, points, format = String, tick = format }: ChartProps): ReactNode {
  const Frame = kind === "bars" ? BarChart : AreaChart;
  return (
    <div role="img" aria-label={fill(uiText.theTableShowsTheSame, { title })} className="h-full">
      <ResponsiveContainer width="100%" height="100%">
        <Frame data={[...points]} accessibilityLayer={false} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis dataKey={x} tick={TEXT} tickLine={false} stroke="var(--line)" minTickGap={points.length > FEW_POINTS ? 24 : 4} />
          <YAxis
            tick={TEXT}
            tickLine={false}
            axisLine={false}
            width={64}
            tickFormatter={(value: number) => tick(value)}
            allowDecimals={false}
          />
          <Tooltip
            contentStyle={BOX}
            cursor={{ fill: "var(--sunken)", stroke: "var(--line)" }}
            formatter={(value) => format(String(value ?? ""))}
          />
          {series.length > 1 && <Legend itemSorter={null} wrapperStyle={{ fontSize: 12 }} />}
          {series.map((entry) => drawSeries(kind, entry))}
        </Frame>
      </ResponsiveContainer>
    </div>
  );
}

function drawSeries(kind: ChartProps["kind"], { key, label, tone }: Series): ReactNode {
  const common = { dataKey: key, name: label, isAnimationActive: false };
  if (kind === "bars") return <Bar key={key} {...common} stackId="all" fill={COLOUR[tone]} maxBarSize={28} />;
  return <Area key={key} {...common} type="monotone" stroke={COLOUR[tone]} strokeWidth={2} fill={COLOUR[tone]} fillOpacity={0.12} />;
}
