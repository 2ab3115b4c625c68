# The command line of Triad, which is its server, too; compose.yaml and deploy/ put others beside it.
FROM python:3.12-slim

WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY triad ./triad
COPY roles ./roles
COPY prompts ./prompts
COPY index ./index
COPY configs ./configs
COPY graph ./graph
# Graphs with tables and passages need 'retrieval', other providers of models 'litellm': --build-arg EXTRAS=servers,retrieval
ARG EXTRAS=servers,telemetry
RUN pip install --no-cache-dir ".[${EXTRAS}]"

RUN useradd --create-home --uid 1000 triad && mkdir /cache /state && chown triad /cache /state
USER 1000
ENV TRIAD_CACHE=/cache TRIAD_STATE=/state/server.db
EXPOSE 8000
WORKDIR /home/triad
ENTRYPOINT ["triad"]
