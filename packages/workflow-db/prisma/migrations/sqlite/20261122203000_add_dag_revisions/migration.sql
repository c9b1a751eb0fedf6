-- CreateTable
CREATE TABLE "DagRevision" (
    "fileName" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "change" TEXT NOT NULL,
    "hash" TEXT,
    "text" TEXT NOT NULL,
    "author" TEXT,
    "workspace" TEXT,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("fileName", "number")
);
