-- CreateTable
CREATE TABLE "Backfill" (
    "id" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "dagName" TEXT NOT NULL,
    "workspace" TEXT,
    "activeFor" TEXT,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "author" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "fromTime" TIMESTAMP(3) NOT NULL,
    "toTime" TIMESTAMP(3) NOT NULL,
    "maxActive" INTEGER NOT NULL,
    "params" TEXT,
    "occurrences" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "started" INTEGER NOT NULL,
    "existing" INTEGER NOT NULL,

    CONSTRAINT "Backfill_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "backfill_active_for_key" ON "Backfill"("activeFor");

-- CreateIndex
CREATE INDEX "backfill_dag_idx" ON "Backfill"("dagName", "createdAt", "id");
