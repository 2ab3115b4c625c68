/** What phases and rungs are called; one that is newer than the page keeps its own name. */

import type { Phase, Rung } from "../api/types";
import { t, type Key } from ".";

const PHASES: Record<Phase, Key> = {
  parsing: "phaseParsing",
  linking: "phaseLinking",
  construction: "phaseConstruction",
  answering: "phaseAnswering",
};
const RUNGS: Record<Rung, Key> = {
  solver: "rungSolver",
  template: "rungTemplate",
  repair: "rungRepair",
  retrieval: "rungRetrieval",
  exploration: "rungExploration",
  knowledge: "rungKnowledge",
};

/** The phases in their order. */
export const PHASE_NAMES = Object.keys(PHASES) as Phase[];

const named = (names: Record<string, Key>, name: string): string => {
  const key = names[name];
  return key ? t(key) : name.replaceAll("_", " ");
};

export const phaseName = (phase: string): string => named(PHASES, phase);
export const rungName = (rung: string): string => named(RUNGS, rung);
