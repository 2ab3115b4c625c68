/** Reports of runs: how good the answers were over a data set, what they cost, and what another run did better. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { getChanges, getReport, getReports } from "../api/client";
import type { Report } from "../api/types";
import { rungName } from "../words/parts";
import { Figures, FigureTable } from "../page/FigureTable";
import { useLoaded, When } from "../page/loading";
import { written } from "../page/route";
import { graph } from "../page/server";
import { asMoment, asMoney, asNumber, asPercent, asSeconds, asSmall, t } from "../words";

export function ReportsPage({ name }: { name: string }) {
  return <div class="column">{name ? <OneReport key={name} name={name} /> : <AllReports />}</div>;
}

function AllReports() {
  const reports = useLoaded(getReports, []);
  return (
    <>
      <h1>{t("reports")}</h1>
      <p>{t("aboutRuns")}</p>
      <pre dir="ltr">triad run {graph.value} --out runs/first</pre>
      <When loaded={reports}>
        {(found) => (
          <ul class="reports">
            {found.map((one) => (
              <li key={one.name}>
                <a href={written({ at: "reports", name: one.name })} dir="auto">
                  {one.title}
                </a>{" "}
                <span class="quiet">
                  {one.questions !== null && `${t("runQuestions")}: ${asNumber(one.questions)}`}{" "}
                  {one.created && asMoment(one.created)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </When>
    </>
  );
}

function OneReport({ name }: { name: string }) {
  const report = useLoaded(() => getReport(name), [name]);
  const reports = useLoaded(getReports, []);
  const [since, setSince] = useState("");
  const others = reports.state === "there" ? reports.value.filter((one) => one.name !== name) : [];
  return (
    <>
      <p>
        <a href={written({ at: "reports", name: "" })}>← {t("reports")}</a>
      </p>
      <When loaded={report}>
        {(found) => (
          <ReportView report={found}>
            {others.length > 0 && (
              <label>
                {t("compareWith")}{" "}
                <select value={since} onChange={(event) => setSince(event.currentTarget.value)}>
                  <option value="" />
                  {others.map((one) => (
                    <option key={one.name} value={one.name}>
                      {one.title}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {since && <Changes key={since} name={name} report={found} since={since} />}
          </ReportView>
        )}
      </When>
    </>
  );
}

function Changes({ name, report, since }: { name: string; report: Report; since: string }) {
  const loaded = useLoaded(() => Promise.all([getChanges(name, since), getReport(since)]), []);
  return (
    <When loaded={loaded}>
      {([found, before]) => (
        <>
          <FigureTable
            heads={[t("metric"), before.name, report.name, "Δ", t("interval"), "p"]}
            rows={Object.entries(found.metrics).map(([metric, { difference, low, high, p_value }]) => [
              metric.replaceAll("_", " "),
              ...[before, report].map(
                ({ scores }) => `${percent(scores[metric]?.["mean"])} (${interval(scores[metric])})`,
              ),
              percent(difference),
              interval({ low, high }),
              asSmall(p_value),
            ])}
          />
          {(["better", "worse"] as const).map((way) => (
            <section key={way}>
              <h2>
                {t(way)}: {asNumber(found[way].length)}
              </h2>
              <FigureTable
                heads={[t("question"), before.name, report.name]}
                rows={found[way].map((one) => [
                  one.question,
                  outcome(one.before, one.cause_before),
                  outcome(one.after, one.cause_after),
                ])}
              />
            </section>
          ))}
        </>
      )}
    </When>
  );
}

type Scores = Record<string, number | null>;

const percent = (share: number | null | undefined): string => (share == null ? "" : asPercent(share));
const interval = ({ low, high }: Scores = {}): string => (low == null ? "" : `${percent(low)} – ${percent(high)}`);
const outcome = (score: number, cause: string): string => [percent(score), cause].filter(Boolean).join(", ");

function ReportView({ report, children }: { report: Report; children: ComponentChildren }) {
  const figures: [string, string][] = [
    [t("graph"), report.graph],
    [t("dataSet"), report.dataset],
    [t("model"), report.model],
    [t("runQuestions"), asNumber(report.questions)],
    [t("failed"), asNumber(report.failed)],
    [t("calls"), asNumber(report.usage.calls)],
    [t("money"), asMoney(report.usage.money)],
  ];
  return (
    <>
      <h1 dir="auto">{report.name}</h1>
      <Figures of={figures} />
      {children}
      <FigureTable
        heads={[t("metric"), t("mean"), t("interval")]}
        rows={Object.entries(report.scores).map(([metric, score]) => [
          metric.replaceAll("_", " "),
          percent(score["mean"]),
          interval(score),
        ])}
      />
      <FigureTable
        heads={[t("rung"), t("asked"), t("answered"), t("score"), t("calls")]}
        rows={Object.entries(report.rungs).map(([rung, figure]) => [
          rungName(rung),
          asNumber(figure.climbed),
          asNumber(figure.answered),
          percent(figure.score),
          asNumber(figure.usage.calls),
        ])}
      />
      <FigureTable
        heads={[t("seconds"), t("mean"), "p50", "p95"]}
        rows={Object.entries(report.latency).map(([part, { mean, p50, p95 }]) => [
          part,
          ...[mean, p50, p95].map((seconds) => (seconds == null ? "" : asSeconds(seconds))),
        ])}
      />
    </>
  );
}
