/** Other questions that may have been meant, each one click away. */

import { askQuestion, pending } from "../ask/dialogue";

export function Readings({ title, questions }: { title: string; questions: string[] }) {
  if (!questions.length) return null;
  return (
    <div class="readings">
      <h3>{title}</h3>
      <ul class="chips">
        {questions.map((question) => (
          <li key={question}>
            <button
              type="button"
              dir="auto"
              disabled={pending.value !== null}
              onClick={() => void askQuestion(question)}
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
