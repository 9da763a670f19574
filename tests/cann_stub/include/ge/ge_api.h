// GE's session. This one runs graphs of a single MaxPoolV3Grad, on the CPU kernel.
#pragma once

#include <graph/graph.h>
#include <graph/tensor.h>
#include <map>
#include <string>
#include <vector>

namespace ge {

Status GEInitialize(const std::map<std::string, std::string>& options);
Status GEInitialize(const std::map<AscendString, AscendString>& options);
Status GEFinalize();

class Session {
public:
    explicit Session(const std::map<std::string, std::string>& options);
    explicit Session(const std::map<AscendString, AscendString>& options);
    ~Session();
    Status AddGraph(uint32_t graph_id, const Graph& graph, const std::map<std::string, std::string>& options);
    Status AddGraph(uint32_t graph_id, const Graph& graph,
                    const std::map<AscendString, AscendString>& options);
    Status RemoveGraph(uint32_t graph_id);
    Status RunGraph(uint32_t graph_id, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs);

private:
    std::map<uint32_t, Graph> graphs_;
};

} // namespace ge
