import { describe, expect, it } from "vitest";
import { frameAround, labelsOf } from "../src/answer/frame";
import { asCsv, asJson, asMarkdown } from "../src/answer/exporting";
import { webAddress } from "../src/answer/links";
import { outline } from "../src/answer/outline";
import { chartOf, compared, momentsOf, placesOf, pointOf, timeOf } from "../src/answer/views";
import { parameters } from "../src/api/client";
import type { Value } from "../src/api/types";
import { completed, fitting, lookedUp } from "../src/ask/completing";
import { factsOf } from "../src/graph/facts";
import { mainClasses } from "../src/graph/profile";
import { drawingOf } from "../src/inspector/paths";
import { placeOf, termAt } from "../src/query/terms";

const literal = (value: string, kind: Value["kind"], text: string | null = null): Value => ({
  type: "literal",
  value,
  datatype: null,
  language: null,
  label: value,
  text,
  kind,
});
const thing = (label: string): Value => ({
  type: "uri",
  value: `http://example.org/${label}`,
  datatype: null,
  language: null,
  label,
  text: null,
  kind: "entity",
});

const rivers = {
  variables: ["river", "length"],
  rows: [
    [thing("Rhine"), literal("1230", "number")],
    [thing("Elbe"), literal("1094", "number")],
  ],
};

describe("links", () => {
  it("opens addresses of the web only", () => {
    expect(webAddress("https://example.org/a b")).toBe("https://example.org/a%20b");
    for (const bad of ["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "/a", "file:///etc/passwd"])
      expect(webAddress(bad)).toBeNull();
  });
});

describe("tables as Markdown", () => {
  it("have what people read, a row a line, and no bars but their own", () => {
    const rows = [
      [thing("a|b"), literal("1230", "number", "1,230 km")],
      [null, literal("two\nlines", "text")],
    ];
    const lines = asMarkdown({ variables: ["river", "its_length"], rows }).split("\n");
    expect(asMarkdown({ variables: ["x"], rows: [[thing("[a](javascript:b) <c>")]] })).toContain(
      "| \\[a\\](javascript:b) \\<c\\> |",
    );
    expect(lines).toEqual(["| river | its length |", "| --- | --- |", "| a\\|b | 1,230 km |", "|  | two lines |", ""]);
  });
});

describe("views", () => {
  it("draws bars where things have numbers, and a line where dates have", () => {
    expect(chartOf(rivers)?.points.map((point) => point.number)).toEqual([1230, 1094]);
    const years = {
      variables: ["year", "n"],
      rows: [1999, 2000].map((year) => [literal(`${String(year)}-01-01`, "date"), literal("2", "number")]),
    };
    expect(chartOf(years)?.kind).toBe("line");
    expect(chartOf({ variables: ["n"], rows: [[literal("1", "number")]] })).toBeNull();
  });
  it("sorts bars with the greatest first unless they are in order, and knows their unit", () => {
    const rows = ["3", "5", "4"].map((n) => [thing(n), literal(n, "number", `${n} km`)]);
    const chart = chartOf({ variables: ["river", "length"], rows });
    expect([chart?.points.map((point) => point.number), chart?.unit]).toEqual([[5, 4, 3], "km"]);
    const rising = chartOf({ variables: ["river", "length"], rows: [rows[0] ?? [], rows[2] ?? [], rows[1] ?? []] });
    expect(rising?.points.map((point) => point.number)).toEqual([3, 4, 5]);
  });
  it("writes names on a map beside each other, and none over another", () => {
    const place = (name: string, longitude: number) => ({ name, iri: null, latitude: 46, longitude });
    const places = [place("Monte Rosa", 7.8), place("Hoernli", 7.7), ...Array(9).fill(place("Same", 7.75))];
    const labels = labelsOf(places, frameAround(places), 0.3).filter((label) => label !== null);
    expect(labels.length).toBeLessThan(places.length);
    expect(new Set(labels.map(String)).size).toBe(labels.length);
  });
  it("reads years before the first, and dates with or without a time", () => {
    expect(new Date(timeOf(literal("-0044-03-15", "date")) ?? 0).getUTCFullYear()).toBe(-44);
    expect(timeOf(literal("1969-07-20T20:17:00Z", "date"))).toBe(Date.UTC(1969, 6, 20, 20, 17));
    expect(timeOf(literal("soon", "date"))).toBeNull();
  });
  it("finds places in points, in columns and by what is known of things", () => {
    expect(pointOf(literal("POINT(13.4 52.5)", "place"))).toEqual({ latitude: 52.5, longitude: 13.4 });
    expect(pointOf(literal("POINT(200 52.5)", "place"))).toBeNull();
    const known = new Map([["http://example.org/Rhine", { coordinates: { latitude: 50, longitude: 8 } }]]);
    expect(placesOf(rivers, known).map((place) => place.name)).toEqual(["Rhine"]);
    const pairs = { variables: ["lat", "long"], rows: [[literal("1", "number"), literal("2", "number")]] };
    expect(placesOf(pairs)).toMatchObject([{ latitude: 1, longitude: 2 }]);
  });
  it("puts dates in order", () => {
    const rows = [
      [thing("B"), literal("1990", "date")],
      [thing("A"), literal("1980-05-01", "date")],
    ];
    expect(momentsOf({ variables: ["x", "d"], rows }).map((moment) => moment.name)).toEqual(["A", "B"]);
  });
  it("sorts numbers by size and puts nothing last", () => {
    const values = [literal("9", "number"), null, literal("10", "number")];
    expect(values.sort((one, other) => compared(one, other, "en")).map((value) => value?.value)).toEqual([
      "9",
      "10",
      undefined,
    ]);
  });
});

describe("files", () => {
  it("keeps commas, quotes and formulas apart in CSV", () => {
    const rows = [
      [thing('a, "b"'), literal("=1+1", "text")],
      [null, literal("-5", "number")],
      [null, literal("-2+cmd|a!A0", "text")],
      [null, literal("＝1+1", "text")],
      [null, literal("\n=1", "text")],
    ];
    expect(asCsv({ variables: ["x", "y"], rows })).toBe(
      'x,x (IRI),y\r\n"a, ""b""","http://example.org/a, ""b""",\'=1+1\r\n,,-5\r\n,,\'-2+cmd|a!A0\r\n,,\'＝1+1\r\n,,"\'\n=1"\r\n',
    );
  });
  it("keeps labels and terms in JSON", () => {
    expect(JSON.parse(asJson(rivers))).toMatchObject([{ river: { label: "Rhine" }, length: { value: "1230" } }, {}]);
  });
});

describe("completion", () => {
  it("replaces the words that the name begins with", () => {
    expect(completed("Which films did stanley ku", 26, "Stanley Kubrick").text).toBe("Which films did Stanley Kubrick");
    expect(completed("Who founded int?", 15, "Intel")).toEqual({ text: "Who founded Intel?", caret: 17 });
    expect(completed("Who is dju", 10, "DJ Űber").text).toBe("Who is DJ Űber");
  });
  it("looks up the last words once two letters are there", () => {
    expect(lookedUp("Which films did Stanley Ku", 26)).toEqual(["did Stanley Ku", "Stanley Ku", "Ku"]);
    expect(lookedUp("Who i", 5)).toEqual([]);
    expect(lookedUp("Who is ", 7)).toEqual([]);
  });
  it("asks for all of them in one request, and shows each name once", () => {
    expect(parameters({ graph: "demo", q: ["did Ku", "Ku"], limit: 8, none: null })).toBe(
      "?graph=demo&q=did+Ku&q=Ku&limit=8",
    );
    const name = (completes: string, label: string) => ({ completes, label, iri: label });
    const found = [name("did Ku", "Kubrick did it"), name("Ku", "Kubrick"), name("Ku", "Kurt"), name("K", "Kurt")];
    expect(fitting(found).map((one) => one.label)).toEqual(["Kubrick", "Kurt"]);
  });
});

describe("queries", () => {
  it("have names whose IRIs are known, and those alone", () => {
    const line = "?film dbo:director <http://a.org/b> ; foo:x 1";
    const prefixes = { dbo: "http://dbpedia.org/ontology/" };
    const iri = "http://dbpedia.org/ontology/director";
    expect(termAt(line, 8, prefixes)).toEqual({ iri, from: 6, to: 18 });
    expect(termAt(line, 25, prefixes)?.iri).toBe("http://a.org/b");
    expect([2, 38].map((at) => termAt(line, at, prefixes))).toEqual([null, null]);
  });

  it("are marked where they cannot be read", () => {
    const query = "SELECT ?x {\n ?x foo:y 1 }";
    const at = placeOf("the prefix 'foo:' is not declared: line 2, column 5; known without: dbo", query) ?? 0;
    expect(query.slice(at, at + 4)).toBe("foo:");
    expect(placeOf("not a SPARQL query: line 1, column 1, at", query)).toBe(0);
    expect(placeOf("DROP is not allowed", query)).toBe(null);
  });
});

describe("the path of an answer", () => {
  it("leads from the question's names to the answer's values", () => {
    const fact = (subject: string, predicate: string, object: string) => ({
      subject: thing(subject),
      predicate: thing(predicate),
      object: thing(object),
      inferred: false,
      qualifiers: [],
    });
    const facts = [fact("Novel", "author", "Dick"), fact("Film", "basedOn", "Novel"), fact("Film", "in", "1982")];
    const drawing = drawingOf(facts, [thing("Film").value], [thing("Dick").value]);
    expect(drawing.edges.map((edge) => edge.onPath)).toEqual([true, true, false]);
    expect(drawing.nodes.map(({ label, role, column }) => [label, role, column])).toEqual([
      ["Novel", "between", 1],
      ["Dick", "answer", 2],
      ["Film", "question", 0],
      ["1982", "between", 1],
    ]);
  });
});

describe("the outline of the world", () => {
  it("has no line across the map where land crosses 180°", () => {
    for (const ring of outline().split("Z").filter(Boolean)) {
      const points = ring
        .slice(1)
        .split("L")
        .map((point) => point.split(",").map(Number));
      // Along the edge of the map, at a pole, there may be one.
      const inside = points.filter(([, y]) => Math.abs(y ?? 0) < 90).map(([x]) => x ?? 0);
      for (const [at, x] of inside.entries()) expect(Math.abs(x - (inside[at - 1] ?? x))).toBeLessThan(180);
    }
  });
});

describe("the graph", () => {
  it("says each fact of a thing once, what it has of itself first", () => {
    const relation = (iri: string, direction: "out" | "in", values: Value[]) => ({
      ...{ iri, label: iri, direction, values, count: values.length },
    });
    const relations = [
      relation("spouse", "out", [thing("Ann")]),
      relation("born", "out", [literal("1900-01-01", "date")]),
      relation("spouse", "in", [thing("Ann")]),
      relation("parent", "in", [thing("Bea")]),
    ];
    expect(factsOf({ relations }).map((group) => group.map((one) => one.iri))).toEqual([
      ["born"],
      ["spouse"],
      ["parent"],
    ]);
  });
  it("is about its lowest classes, those first of whose things something is said", () => {
    const named = (label: string, above: string[], direction: "out" | "in") => ({
      ...{ iri: label, label, above, instances: 9, statement: false, description: "" },
      relations: [{ direction } as never],
    });
    const classes = [named("work", [], "out"), named("language", [], "in"), named("film", ["work"], "out")];
    expect(mainClasses({ classes }).map((one) => one.label)).toEqual(["film", "language"]);
  });
});
