-- CreateTable
CREATE TABLE "Backfill" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "fileName" TEXT NOT NULL,
    "dagName" TEXT NOT NULL,
    "workspace" TEXT,
    "activeFor" TEXT,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "author" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    "fromTime" DATETIME NOT NULL,
    "toTime" DATETIME NOT NULL,
    "maxActive" INTEGER NOT NULL,
    "params" TEXT,
    "occurrences" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "started" INTEGER NOT NULL,
    "existing" INTEGER NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "backfill_active_for_key" ON "Backfill"("activeFor");

-- CreateIndex
CREATE INDEX "backfill_dag_idx" ON "Backfill"("dagName", "createdAt", "id");
