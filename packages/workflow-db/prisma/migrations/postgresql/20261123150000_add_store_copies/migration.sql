-- CreateTable
CREATE TABLE "StoreCopy" (
    "tableName" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "level" INTEGER NOT NULL DEFAULT 0,
    "lastKey" JSONB NOT NULL,
    "isDone" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "StoreCopy_pkey" PRIMARY KEY ("tableName")
);
