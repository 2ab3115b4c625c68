/** Reports of runs: how good the answers were over a data set, and what they cost. */

import { getReport, getReports } from "../api/client";
import type { Report } from "../api/types";
import { rungName } from "../words/parts";
import { FigureTable } from "../page/FigureTable";
import { useLoaded, When } from "../page/loading";
import { written } from "../page/route";
import { graph } from "../page/server";
import { asMoment, asMoney, asNumber, asPercent, asSeconds, t } from "../words";

export function ReportsPage({ name }: { name: string }) {
  return <div class="column">{name ? <OneReport name={name} /> : <AllReports />}</div>;
}

function AllReports() {
  const reports = useLoaded(getReports, []);
  return (
    <>
      <h1>{t("reports")}</h1>
      <When loaded={reports}>
        {(found) =>
          found.length ? (
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
          ) : (
            <>
              <p class="quiet">{t("noReports")}</p>
              <pre dir="ltr">triad run {graph.value} --out runs/first</pre>
            </>
          )
        }
      </When>
    </>
  );
}

function OneReport({ name }: { name: string }) {
  const report = useLoaded(() => getReport(name), [name]);
  return (
    <>
      <p>
        <a href={written({ at: "reports", name: "" })}>← {t("reports")}</a>
      </p>
      <When loaded={report}>{(found) => <ReportView report={found} />}</When>
    </>
  );
}

const percent = (share: number | null | undefined): string => (share == null ? "" : asPercent(share));

function ReportView({ report }: { report: Report }) {
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
      <dl class="figures">
        {figures.map(([title, figure]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd dir="auto">{figure}</dd>
          </div>
        ))}
      </dl>
      <FigureTable
        heads={[t("metric"), t("mean"), t("interval")]}
        rows={Object.entries(report.scores).map(([metric, score]) => [
          metric.replaceAll("_", " "),
          percent(score.mean),
          score.low == null ? "" : `${percent(score.low)} – ${percent(score.high)}`,
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
