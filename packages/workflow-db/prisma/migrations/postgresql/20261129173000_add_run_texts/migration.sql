-- CreateTable
CREATE TABLE "RunText" (
    "runId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "rowVersion" INTEGER NOT NULL,
    "words" TEXT NOT NULL,

    CONSTRAINT "RunText_pkey" PRIMARY KEY ("runId")
);

-- CreateIndex
CREATE UNIQUE INDEX "run_text_position_key" ON "RunText"("position");

-- AddForeignKey
ALTER TABLE "RunText" ADD CONSTRAINT "RunText_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "RunTextDue" (
    "createdAt" TIMESTAMP(3) NOT NULL,
    "runId" TEXT NOT NULL,
    "rowVersion" INTEGER NOT NULL,

    CONSTRAINT "RunTextDue_pkey" PRIMARY KEY ("createdAt","runId","rowVersion")
);

-- The words are already as they are looked for, so no dictionary changes them.
CREATE INDEX "run_text_words" ON "RunText" USING GIN (array_to_tsvector(string_to_array("words", ' ')));

-- Workers with tokens change runs and have no rights on these tables. The name of the table has its schema, because a
-- table of theirs could stand in for it otherwise.
DO $$
BEGIN
  EXECUTE format($create$
    CREATE FUNCTION "weir_mark_run_text"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $body$
    BEGIN
      INSERT INTO %I."RunTextDue" ("createdAt", "runId", "rowVersion") VALUES (NEW."createdAt", NEW."id", NEW."rowVersion") ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $body$ $create$, current_schema());
END $$;

REVOKE ALL ON FUNCTION "weir_mark_run_text"() FROM PUBLIC;

CREATE TRIGGER "run_text_due_insert" AFTER INSERT ON "DagRun" FOR EACH ROW WHEN (NEW."depth" = 0) EXECUTE FUNCTION "weir_mark_run_text"();

CREATE TRIGGER "run_text_due_update" AFTER UPDATE OF "status" ON "DagRun" FOR EACH ROW WHEN (NEW."depth" = 0 AND NEW."finishedAt" IS NOT NULL) EXECUTE FUNCTION "weir_mark_run_text"();

-- Runs that exist are marked here, and indexed by servers that have this version.
INSERT INTO "RunTextDue" ("createdAt", "runId", "rowVersion") SELECT "createdAt", "id", "rowVersion" FROM "DagRun" WHERE "depth" = 0;
